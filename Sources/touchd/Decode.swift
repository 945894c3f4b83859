import Basics
import ControlProtocol
import ArgumentParser
import CommandSupport
import Evdev
import Foundation

struct Decode: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decode",
        abstract: "Show the contacts in a recording.",
        discussion: """
            Reads the output of evemu-record, 'libinput record' and evtest, gzipped or not. Without --json, prints a line \
            for each contact that begins or ends. With --json, prints a line for each frame with a change: the time in \
            seconds since the first event, the number of its SYN_REPORT, and the contacts that began, moved and ended, in \
            the device's units. This works for devices that touchd ignores, too.
            """)

    @Argument(help: "The recording; - is standard input.", completion: .file())
    var file: String

    @OptionGroup var recorded: RecordedDeviceChoice

    @Flag(help: "Print JSON, one object per line.")
    var json = false

    func run() throws {
        try CommandFailure.reporting {
            var reader = try RecordingReader(path: file, description: recorded.description, device: recorded.device)
            for line in reader.remarks { StandardError.write(line: "touchd: \(line)") }
            let role = DeviceRole(reader.description, udevProperties: reader.udevProperties)
            if !json { print("\(reader.description.name): \(role.summary)\(role.note)") }
            var report = DecodeReport(description: reader.description, role: role)
            while let event = try reader.next() {
                guard let frame = report.feed(event) else { continue }
                if json { print(FrameRecord(frame).text) } else { frame.lines.forEach { print($0) } }
                // The reader of a live recording waits for each line.
                if !reader.isFile { fflush(nil) }
            }
        }
    }
}

/// A frame with a change, for `--json`. Each list is in order of slots.
private struct FrameRecord: JSONRecord {
    struct Contact: JSONRecord {
        let contact: Evdev.Contact

        static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member("slot", "the kernel's slot") { $0.contact.slot }
            visitor.member("id", "the kernel's tracking id") { $0.contact.trackingID }
            visitor.member("x", "in device units") { $0.contact.raw.x }
            visitor.member("y", "see `x`") { $0.contact.raw.y }
        }
    }

    let frame: DecodedFrame

    init(_ frame: DecodedFrame) { self.frame = frame }

    static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("time", .seconds, "of its `SYN_REPORT`, since the recording's first event") {
            $0.frame.time.seconds
        }
        visitor.member("frame", "the number of its `SYN_REPORT`, from 0") { $0.frame.number }
        visitor.member("began", "contacts that were not down before") { list($0.frame.began) }
        visitor.member("moved", "contacts whose position changed") { list($0.frame.moved) }
        visitor.member("ended", "contacts that ended, at their last position") { list($0.frame.ended) }
    }

    private static func list(_ contacts: [Evdev.Contact]) -> [Contact] {
        contacts.sorted { ($0.slot, $0.id) < ($1.slot, $1.id) }.map { Contact(contact: $0) }
    }
}

extension DecodedFrame {
    /// A line for each contact that begins or ends.
    fileprivate var lines: [String] {
        (began.map { ("began", $0) } + ended.map { ("ended", $0) }).map { what, contact in
            String(format: "%10.3f s", time.seconds)
                + "  contact \(contact.trackingID) \(what) in slot \(contact.slot) at (\(contact.raw.x), \(contact.raw.y))"
        }
    }
}

extension DeviceRole {
    fileprivate var note: String { reasonIgnored.map { "; live, touchd would ignore it: \($0)" } ?? "" }
}
