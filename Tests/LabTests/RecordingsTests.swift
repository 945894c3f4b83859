import Foundation
import LabSupport
import Testing

/// The events that touchd's device monitor delivers from the kernel's queue: the recordings, and cases that no
/// recording has. `Tests/Lab/recordings.sh` plays them.
@Suite("Recordings, played to the kernel", .needsLab)
struct RecordingsTests {
    @Test(
        "A recording gives the same frames through uinput, udev and libevdev",
        arguments: Recording.all.filter(\.isPlayed))
    func sameFrames(_ recording: Recording) async throws {
        let fields = try await recording.fields

        #expect(fields.first == recording.kind)
        #expect(fields.last == "alike")
        // Derived from the kernel's protocol text, not by touchd.
        if let began = recording.began, let ended = recording.ended, let leftDown = recording.leftDown {
            #expect(fields.dropFirst(2).dropLast() == ["\(began)", "\(ended)", "\(leftDown)"])
        }
    }

    @Test(
        "Touchpads, tablets, joysticks and keyboards are ignored, by udev's own rules",
        arguments: Recording.all.filter { !$0.isUsed && !$0.isRefused })
    func leftAlone(_ recording: Recording) async throws {
        let fields = try await recording.fields

        #expect(fields.count == 1)
        #expect(fields.first?.hasPrefix("left alone: a \(recording.noun)") == true)
    }

    @Test(
        "uinput rejects devices with more slots than it supports, and reports it",
        arguments: Recording.all.filter(\.isRefused))
    func refused(_ recording: Recording) async throws {
        #expect(try await recording.fields == ["refused: Invalid argument"])
    }

    @Test("if the kernel drops events, the fingers down are those that it reports, and every touch ends once")
    func storm() async throws {
        let storm = try await facts("storm")

        // The loop was away fifty times, each time longer than the kernel's buffer lasts.
        #expect(storm["dropped"] == "50")
        #expect(storm["slots of the kernel"]?.contains(",") == true)
        #expect(storm["slots of the frames"] == storm["slots of the kernel"])
        let counts = ["began", "ended", "cancelled"].compactMap { storm[$0].flatMap { Int($0) } }
        try #require(counts.count == 3)
        #expect(counts[0] > 100 && counts[0] == counts[1] + counts[2])
        #expect(storm["mistakes"] == "0" && storm["down"] == "0")
        // Unplugging the panel cancels exactly the fingers that are down.
        let down = storm["slots of the kernel"]?.split(separator: ",").filter { !$0.contains("-1") } ?? []
        #expect(!down.isEmpty && counts[2] == down.count)
    }

    @Test("A slot's new tracking id, without -1 between, ends one touch and begins another")
    func replaced() async throws {
        let lines = try await LabRun.kernel.value.lines("replaced").filter { !$0.contains("\t") }

        #expect(
            lines == [
                "began 1 id 5 at 50,5", "ended 1 id 5 at 50,5",
                "began 2 id 6 at 60,6", "ended 2 id 6 at 60,6",
                "began 3 id 7 at 70,7", "ended 3 id 7 at 70,7",
                "began 4 id 8 at 80,8", "ended 4 id 8 at 80,8",
            ])
    }

    @Test("a grabbed device is reported, and used once it is released")
    func grabbed() async throws {
        // The number of the device depends on the machine's other devices.
        let lines = try await LabRun.kernel.value.lines("grabbed").map {
            $0.replacing(/^not grabbed \d+/, with: "not grabbed")
        }

        #expect(
            lines == [
                "other grabs: yes",
                "not grabbed: PATH: cannot be grabbed (Device or resource busy): other programs receive its events too; "
                    + "if another program has grabbed it, touchd receives none; stop that program, or remove 'grab' from "
                    + "the rule",
                "held at start: true",
                "other lets go: yes",
                "held after that: false",
                "other grabs: yes",
                "held then: true",
                "other lets go: yes",
                "held by touchd itself: false",
                "other grabs: Device or resource busy",
                "other grabs after a handler opened it again: Device or resource busy",
                "other grabs: yes",
            ])
    }

    @Test("without permission touchd names the group, or a udev rule that helps")
    func refused() async throws {
        let refused = try await facts("refused")

        #expect(
            refused["for a group"]
                == "PATH: not permitted; run touchd in group input (SupplementaryGroups=input in its unit, or usermod -aG "
                + "input USER)")
        #expect(
            refused["for nobody"]
                == "PATH: only root may open it; add a udev rule such as SUBSYSTEM==\"input\", "
                + "KERNEL==\"event*\", GROUP=\"input\", MODE=\"0660\"")
    }

    /// The lines `NAME<tab>VALUE` of a section.
    private func facts(_ section: String) async throws -> [String: String] {
        let pairs = try await LabRun.kernel.value.lines(section).map { $0.split(separator: "\t") }
        return Dictionary(
            pairs.filter { $0.count == 2 }.map { (String($0[0]), String($0[1])) }, uniquingKeysWith: { $1 })
    }
}

/// A recording, and facts about it that do not come from touchd.
struct Recording: Decodable, Sendable, CustomTestStringConvertible {
    var recording: String?
    var kind: String
    var began: Int?
    var ended: Int?
    var leftDown: Int?

    var isUsed: Bool { ["touchscreen", "mouse", "absolute pointer", "keys", "accelerometer"].contains(kind) }
    var isPlayed: Bool { isUsed && !isRefused }
    /// Keyboards that claim every axis have ABS_MT_SLOT up to 127 or 255; uinput supports at most 100 slots.
    var isRefused: Bool {
        recording?.hasPrefix("trap-surface-type-cover/") == true
            || recording?.hasSuffix("TrackPoint.trackpoint.events") == true
    }
    var noun: String { kind == "tablet" ? "graphics tablet" : kind }
    var testDescription: String { recording ?? "" }

    /// The machine's output for it, after its name.
    var fields: [String] {
        get async throws {
            let name = recording ?? ""
            let lines = try await LabRun.kernel.value.lines("recordings")
            let line = try #require(lines.first { $0.hasPrefix(name + "\t") }, "nothing was printed of \(name)")
            return line.split(separator: "\t").dropFirst().map(String.init)
        }
    }

    static let all: [Recording] = {
        let file = Boot.repository.appending(path: "Tests/EvdevTests/Recordings/expectations.json")
        do {
            return try JSONDecoder().decode([Recording].self, from: Data(contentsOf: file))
                .filter { $0.recording != nil }
        } catch {
            fatalError("\(file.path): \(error)")
        }
    }()
}
