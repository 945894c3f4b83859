import Glibc
import Testing

@testable import touchd_web

@Suite("touchd-web's command line") struct WebOptionsTests {
    @Test("options have a value after a blank or =, and defaults")
    func values() throws {
        let defaults = try WebOptions([])
        #expect(defaults.settings == "/etc/touchd/web.yaml" && defaults.listen == "127.0.0.1:8348")
        #expect(defaults.address == .internet(host: "127.0.0.1", port: 8348))
        let given = try WebOptions(["--settings", "a=b", "--socket=/run/c", "--listen", "1", "--listen=[::1]:2"])
        #expect(given.settings == "a=b" && given.socket == "/run/c" && given.listen == "[::1]:2")
    }

    @Test(
        "a wrong command line has status 64, the reason and the usage",
        arguments: [
            (["--nope"], "Unknown option '--nope'"),
            (["--liste", "1"], "Unknown option '--liste'. Did you mean '--listen'?"),
            (["--listen"], "Missing value for '--listen <address>'"),
            (["--settings", "--socket", "a"], "Missing value for '--settings <file>'"),
            (["--socket="], "Missing value for '--socket <path>'"), (["page"], "Unexpected argument 'page'"),
            (
                ["--listen", "0.0.0.0:1"],
                "--listen must be a port or ADDRESS:PORT of a loopback address (got '0.0.0.0:1');"
            ),
            (
                ["--listen", "unix:/a"],
                "--listen must be a port or ADDRESS:PORT of a loopback address (got 'unix:/a');"
            ),
        ])
    func errors(arguments: [String], reason: String) throws {
        let failure = try #require(throws: WebFailure.self) { try WebOptions(arguments) }
        let lines = failure.description.split(separator: "\n")
        #expect(failure.status == EX_USAGE && lines[0].hasPrefix("error: \(reason)"), "\(failure)")
        #expect(
            lines.dropFirst() == [
                "Usage: touchd-web [--socket <path>] [--settings <file>] [--listen <address>]",
                "  See 'touchd-web --help' for more information.",
            ])
    }
}
