import LabSupport
import Testing

/// The installed service, allowed to forward touches; `Tests/Lab/forward-service.sh` runs it.
@Suite("Forwarded touches of the installed service, in a booted machine", .needsLab)
struct ForwardServiceTests {
    @Test(
        "the drop-in and its udev rule let the service forward; before, and while another program holds the panel, it says why not"
    )
    func service() async throws {
        let run = try await LabRun.installed.value

        let before = try run.lines("forward-service-before")
        #expect(before.contains { $0.contains("EP0430M09 is not forwarded: the service may not use /dev/uinput") })
        #expect(before.last == "exit status 65")
        #expect(try run.lines("forward-service-uinput") == ["660 input"])
        let exposure = try #require(run.lines("forward-service-security").first?.firstMatch(of: /: (\d\.\d)/)?.1)
        #expect(try #require(Double(exposure)) < 1)
        let holder = try run.lines("forward-service-held").joined()
        #expect(holder.contains(/open in .*python3 \(\d+\)/))
        #expect(try run.lines("forward-service-check").last == "exit status 0")
        #expect(try run.lines("forward-service-status").contains { $0.contains("EP0430M09: used; forwarded as /dev/") })
    }

    @Test("a touchd that is stopped with SIGSTOP is restarted by the watchdog, and forwards again")
    func stopped() async throws {
        let run = try await LabRun.installed.value

        #expect(try run.lines("forward-service-touches") == ["TOUCH_DOWN", "TOUCH_UP"])
        #expect(try run.lines("forward-service-stopped") == ["NRestarts=1"])
        #expect(try run.lines("forward-service-again") == ["TOUCH_DOWN", "TOUCH_UP"])
    }
}
