import LabSupport
import Testing

/// Attacks on the installed service, tried by `Tests/Lab/security.sh`.
@Suite("Attacks on touchd.service, in a container", .needsContainer)
struct SecurityTests {
    private let run: LabRun

    init() async throws { run = try await LabRun.security.value }

    @Test("the service refuses a layout or program that another user could replace")
    func foreignFiles() throws {
        let layout = "/etc/touchd/touchd.yaml"

        let foreign = try run.lines("foreign-layout")
        #expect(foreign.first == "ExecMainStatus=65")
        #expect(
            foreign.last?.hasPrefix("\(layout):1:1: error: '\(layout)' is owned by a user that is hidden here") == true)
        let open = try run.lines("open-folder")
        #expect(open.first == "ExecMainStatus=65")
        #expect(open.last?.hasPrefix("\(layout):1:1: error: '/etc/touchd' is writable by group or others") == true)
        let program = try run.lines("foreign-program")
        #expect(program.first == "ExecMainStatus=65")
        #expect(
            program.last?.contains("error: 'exec': '/usr/local/bin/tell' is owned by a user that is hidden here")
                == true)
    }

    @Test("touchd check warns about what the service refuses")
    func check() throws {
        let told = try run.lines("open-folder-check")

        #expect(told.first?.contains(":1:1: warning: '/etc/touchd' is writable by group or others") == true)
    }

    @Test("the machine's keyboard is not opened")
    func keyboard() throws {
        let keyboard = try #require(try run.lines("keyboard").first { $0.contains("not used: a keyboard; ") })
        let panel = try #require(try run.lines("keyboard").first { $0.contains("EP0430M09: used") })
        let open = try run.lines("open-nodes")
        #expect(open.contains { panel.hasPrefix($0) } && !open.contains { keyboard.hasPrefix($0) })
    }

    @Test("a handler's hijacked program cannot read devices or control touchd")
    func takenOver() throws {
        #expect(try run.lines("reload-taken-over") == [])
        #expect(try run.lines("taken-over") == ["taken-over is in touchd-exec.service"])
        #expect(
            try run.lines("exec-limits").map { $0.split(separator: "\t") }
                == [["CapEff:", "0000000000000000"], ["NoNewPrivs:", "1"], ["Seccomp:", "2"]])
    }

    @Test("the helper with the network has name resolution, TLS and its secrets, and nothing else when it is hijacked")
    func takenOverNetwork() throws {
        #expect(
            try run.lines("network-taken-over") == [
                "network is in touchd-network.service", "network has the secrets touchd_token kiosk-token",
                "network resolves names: 192.0.2.7", "network reads resolv.conf", "network has certificates",
                "network loads libcurl.so.4", "network loads libmosquitto.so.1", "network opens internet sockets",
            ])
        #expect(try run.lines("network-socket") == ["srw------- touchd touchd"])
    }

    @Test("touchd has no internet sockets and no secrets when it is hijacked")
    func takenOverTouchd() throws {
        #expect(try run.lines("touchd-taken-over") == ["touchd can make AF_UNIX"])
    }

    @Test("the journal has no part of a secret that a handler failed to send")
    func secrets() throws {
        #expect(try run.lines("start-with-secret") == [])
        #expect(try run.lines("secrets") == ["0"])
    }
}
