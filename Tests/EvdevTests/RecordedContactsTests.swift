import Evdev
import Foundation
import Testing

@Suite("Recordings of real devices")
struct RecordedContactsTests {
    @Test("A device has the role that udev gives it", arguments: Expectation.all)
    func role(_ expected: Expectation) throws {
        let description = try RecordingReader.description(path: expected.pathOfDescription)
        let role = DeviceRole(description)
        #expect(role.kind.rawValue == expected.kind)
        #expect(role.touchProtocol?.rawValue == expected.protocol)
    }

    @Test(
        "A recording contains the contacts that follow from the kernel's rules",
        arguments: Expectation.all.filter { $0.hasContacts })
    func contacts(_ expected: Expectation) throws {
        let (path, description) = try expected.paths
        var reader = try RecordingReader(path: path, description: description)
        var report = DecodeReport(description: reader.description, role: DeviceRole(reader.description))

        var lines: [String] = []
        while let event = try reader.next() {
            // Protocol A has no slots, so its contacts are compared without them.
            let hasSlots = expected.protocol != "multi-touch protocol A"
            if let frame = report.feed(event) { lines.append(hasSlots ? frame.json : frame.withoutSlots) }
        }

        #expect(lines.count == expected.lines)
        #expect(fnv1a(lines.joined(separator: "\n")) == expected.fnv1a)
    }
}

/// The content of a recording, derived once by an independent program from the kernel's protocol text.
struct Expectation: Decodable, Sendable, CustomTestStringConvertible {
    var recording: String?
    var description: String?
    var kind: String
    var `protocol`: String?
    var lines: Int?
    var fnv1a: String?

    var hasContacts: Bool { recording != nil && `protocol` != nil }
    /// The recording, and the file with its description if it has none.
    var paths: (recording: String, description: String?) {
        get throws { (Self.folder + (try #require(recording)), description.map { Self.folder + $0 }) }
    }
    var pathOfDescription: String { Self.folder + (description ?? recording ?? "") }
    var testDescription: String { recording ?? description ?? "" }

    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/Recordings/"
    static let all: [Expectation] = {
        do {
            let data = try Data(contentsOf: URL(fileURLWithPath: folder + "expectations.json"))
            return try JSONDecoder().decode([Expectation].self, from: data)
        } catch {
            fatalError("expectations.json: \(error)")
        }
    }()
}

func fnv1a(_ text: String) -> String {
    let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
}

extension DecodedFrame {
    /// The frame as a line of JSON, without a newline:
    /// `{"time": 0.012345, "frame": 3, "began": [{"slot": 0, "id": 45, "x": 10, "y": 20}], "moved": [], "ended": []}`
    ///
    /// The time is in seconds, slots and ids are the kernel's, positions are in device units. Each list is in order of
    /// slots.
    fileprivate var json: String {
        "{\"time\": \(Self.seconds(time)), \"frame\": \(number), \"began\": \(Self.list(began)), "
            + "\"moved\": \(Self.list(moved)), \"ended\": \(Self.list(ended))}"
    }

    /// The frame as `FRAME|BEGAN|MOVED|ENDED`, each a list of `ID:X,Y` in the order of the ids.
    fileprivate var withoutSlots: String {
        let lists = [began, moved, ended].map { contacts in
            contacts.sorted { $0.trackingID < $1.trackingID }.map { "\($0.trackingID):\($0.raw.x),\($0.raw.y)" }
                .joined(separator: " ")
        }
        return "\(number)|" + lists.joined(separator: "|")
    }

    private static func list(_ contacts: [Contact]) -> String {
        let entries = contacts.sorted { ($0.slot, $0.id) < ($1.slot, $1.id) }.map {
            "{\"slot\": \($0.slot), \"id\": \($0.trackingID), \"x\": \($0.raw.x), \"y\": \($0.raw.y)}"
        }
        return "[" + entries.joined(separator: ", ") + "]"
    }

    private static func seconds(_ time: InputTimestamp) -> String {
        let sign = time.microseconds < 0 ? "-" : ""
        let (seconds, microseconds) = time.microseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
        let fraction = String(microseconds)
        return sign + "\(seconds)." + String(repeating: "0", count: 6 - fraction.count) + fraction
    }
}
