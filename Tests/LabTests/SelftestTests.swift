import LabSupport
import Testing

/// `touchd selftest` on a machine with a running service; `Tests/Lab/selftest.sh` runs it.
@Suite("The self-test, in a booted machine", .needsLab)
struct SelftestTests {
    @Test("as root it creates a kernel screen, whose finger the service hit-tests, and finds no error")
    func kernel() async throws {
        let lines = try await LabRun.installed.value.lines("selftest")

        #expect(lines.last == "exit status 0")
        #expect(!lines.contains { $0.hasPrefix("FAIL") })
        #expect(lines.contains { $0.hasPrefix("pass  kernel") && $0.contains("/dev/input/event") })
        for check in ["service", "watchdog", "layout", "devices", "journal", "programs", "touches", "ends", "delay"] {
            #expect(lines.contains { $0.hasPrefix("pass  \(check)") }, "\(check)")
        }
        for view in ["gallery", "sculpture", "map"] {
            #expect(lines.contains { $0.hasPrefix("pass  touches") && $0.contains("view '\(view)'") }, "\(view)")
        }
    }

    @Test("a group member without uinput has the rest tested, and this is reported")
    func withoutPermission() async throws {
        let lines = try await LabRun.installed.value.lines("selftest-member")

        #expect(lines.last == "exit status 0")
        #expect(lines.contains { $0.hasPrefix("skip  kernel") && $0.contains("may not write to /dev/uinput") })
    }

    @Test("the self-test leaves no trace in the metrics of the service")
    func trace() async throws {
        #expect(try await LabRun.installed.value.lines("selftest-trace") == ["none"])
    }

    @Test("a device that udev is still processing is opened once, and causes no error")
    func lateDevice() async throws {
        let entries = try await LabRun.installed.value.lines("selftest-journal").map(JournalEntry.init(json:))
        let late = entries.filter { $0["TOUCHD_DEVICE"] == "Atmel maXTouch Touchscreen" }
        #expect(
            late.map { $0["MESSAGE_ID"] } == [MessageID.deviceAdded.rawValue, MessageID.deviceRemoved.rawValue],
            "\(late.map { $0["MESSAGE"] })")
        #expect(!entries.contains { $0["MESSAGE"]?.contains("add a udev rule") == true })
        #expect(!entries.contains { $0["MESSAGE"]?.contains("thread priority") == true })
    }

    @Test("the running service delivers none of the self-test's touches")
    func undisturbed() async throws {
        let run = try await LabRun.installed.value

        let entries = try run.lines("selftest-journal").map(JournalEntry.init(json:))
        let touches = entries.filter(\.isTouch)
        #expect(touches.map { $0["TOUCHD_PHASE"] } == ["began", "ended"])
        #expect(touches.allSatisfy { $0["TOUCHD_DEVICE"] == "EP0430M09" })
        #expect(!entries.contains { $0["TOUCHD_DEVICE"]?.hasPrefix("touchd virtual") == true })
        #expect(try run.lines("selftest-status").contains { $0.hasPrefix("touches   1 began, 1 ended") })
    }
}
