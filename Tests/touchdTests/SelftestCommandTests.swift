import Foundation
import Testing

@testable import TestSupport

/// `touchd selftest` as an integrator runs it: beside a running touchd, without its own touchscreen.
@Suite struct SelftestCommand {
    private static let layout = """
        screen: {size: [1920, 1080]}
        views:
          - {id: picture, frame: [0, 0, 1000, 1080], on: {began: log}}
          - {id: chime, frame: [1000, 0, 900, 1080], control: button, on: {pressed: ring}}
        handlers: {ring: {exec: [/bin/echo, ding]}}

        """

    private func start(_ layout: String = Self.layout, watchdog: Int? = nil, _ variables: [String: String] = [:]) throws
        -> RunningTouchd
    {
        try RunningTouchd(layout: layout, watchdog: watchdog, variables: variables).ready()
    }

    private func run(_ touchd: RunningTouchd) throws -> [String] {
        try TouchdProgram.run("selftest", "--no-touchscreen", "--socket", touchd.control).lines
    }

    /// The lines of failed checks, without the journal's: no journald listens here.
    private func failures(_ lines: [String]) -> [String] {
        lines.filter { $0.hasPrefix("FAIL") && !$0.hasPrefix("FAIL  journal") }
    }

    @Test("it tests the service's layout, a line per check, with a summary")
    func lines() throws {
        let touchd = try start(Self.layout, watchdog: 600_000_000)
        let lines = try run(touchd)
        #expect(failures(lines) == [])
        #expect(lines.contains { $0.hasPrefix("pass  service") && $0.contains("answers at \(touchd.control)") })
        #expect(lines.contains { $0.hasPrefix("pass  layout") && $0.contains(touchd.layout.path) })
        #expect(lines.contains { $0.hasPrefix("pass  watchdog") && $0.contains("for 600 s") })
        #expect(lines.contains { $0.hasPrefix("pass  devices") && $0.contains("QUANTA OpticalTouchScreen") })
        #expect(
            lines.contains { $0.hasPrefix("pass  programs") && $0.contains("1 program of handlers can be started") })
        #expect(lines.contains("skip  touches         not tested because of --no-touchscreen"))
        let sums = try #require(lines.last).matches(of: /[0-9]+/).compactMap { Int($0.output) }
        #expect(sums == ["pass", "FAIL", "skip"].map { start in lines.count { $0.hasPrefix(start) } })
        // The service has received at most the one touch of its recording, and none of these.
        let status = try touchd.command("status")
        #expect(status.output.contains(/touches +[01] began/), "status ended with \(status.status): \(status.output)")
    }

    @Test(
        "as root, a program that only root may start fails: the service has another user",
        .enabled(if: geteuid() == 0, "the program of another user can only be checked as root"))
    func programOfRoot() throws {
        let folder = try TemporaryFolder()
        let bell = folder.url.appending(path: "bell")
        try FileManager.default.copyItem(atPath: "/bin/echo", toPath: bell.path)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: bell.path)
        let touchd = try start(Self.layout.replacing("/bin/echo", with: bell.path))
        let failures = failures(try run(touchd))
        #expect(failures.count == 1 && failures[0].hasPrefix("FAIL  programs"))
        #expect(failures.first?.contains("'\(bell.path)' is not executable for the service's user") == true)
    }

    @Test("errors of the integrator fail: a missing program, a refused layout")
    func faults() throws {
        let touchd = try start(Self.layout.replacing("/bin/echo", with: "/nowhere/bell"))
        let program = try TouchdProgram.run("selftest", "--no-touchscreen", "--socket", touchd.control)
        #expect(program.status == 1)
        #expect(failures(program.lines).count == 1)
        #expect(failures(program.lines)[0].contains(/:5:25: .*\/nowhere\/bell/))

        try Data("screen: nowhere\n".utf8).write(to: touchd.layout)
        _ = try touchd.command("reload")
        let refused = failures(try run(touchd))
        #expect(refused.contains { $0.hasPrefix("FAIL  layout") && $0.contains("layout.yaml:1:9: error:") })
    }

    @Test("a layout file that was changed after it was loaded fails until it is reloaded")
    func changed() throws {
        let touchd = try start(Self.layout)
        try Data(Self.layout.replacing("picture", with: "painting").utf8).write(to: touchd.layout)
        let failures = failures(try run(touchd))
        #expect(failures.count == 1 && failures.first?.hasSuffix("run: touchd reload") == true)
        _ = try touchd.command("reload")
        #expect(self.failures(try run(touchd)) == [])
    }

    @Test(
        "as root, a service whose programs nobody starts fails",
        .enabled(if: geteuid() == 0, "only root may read the service's environment"))
    func programSocket() throws {
        let touchd = try start(Self.layout, ["TOUCHD_EXEC_SOCKET": "/nowhere/exec"])
        let failures = failures(try run(touchd))
        #expect(failures.count == 1 && failures.first?.contains("nothing listens at /nowhere/exec") == true)
    }

    @Test("a missing service fails, and the named layout is still tested")
    func noService() throws {
        let outcome = try TouchdProgram.run(
            "selftest", "--no-touchscreen", "--socket", "/nowhere/control", "--layout", "config/touchd.yaml")
        #expect(outcome.status == 1)
        #expect(outcome.lines.contains { $0.hasPrefix("FAIL  service") && $0.contains("no touchd listens at") })
        #expect(outcome.lines.contains { $0.hasPrefix("pass  layout") })
        #expect(outcome.lines.contains { $0.hasPrefix("skip  touches") })
    }

    @Test("without a service it checks the devices that touchd would read")
    func devicesWithoutService() throws {
        let devices = try MockedDevices()
        defer { devices.end() }
        let outcome = try TouchdProgram.run(
            "selftest", "--socket", "/nowhere/control", "--layout", "config/touchd.yaml", environment: devices.variables
        )
        #expect(
            outcome.lines.contains {
                $0.hasPrefix("pass  devices") && $0.contains("EP0430M09 (\(devices.panel))")
            })
        #expect(outcome.lines.contains("skip  touches         not tested, because no service with a layout answers"))
    }
}
