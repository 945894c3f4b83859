import Basics
import ControlProtocol
import Glibc
import WebServer

/// The command line (touchd-web(8)).
///
/// Without ArgumentParser: with Foundation's core, which it needs, it is as large as the rest of the program.
struct WebOptions {
    private(set) var socket = ControlAddress.ofClient
    private(set) var settings = "/etc/touchd/web.yaml"
    /// Where to listen if systemd passes no socket, as it was given. IANA has not assigned the port.
    private(set) var listen = "127.0.0.1:8348"
    private(set) var showsVersion = false
    let address: ListenAddress

    /// - Throws: A `WebFailure` with the usage.
    init(_ arguments: some Collection<String>) throws(WebFailure) {
        var rest = Array(arguments)[...]
        while let argument = rest.popFirst() {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            if argument == "--version" || argument == "--verbose" && showsVersion {
                showsVersion = true
                continue
            }
            guard argument.hasPrefix("-"), !showsVersion else { throw .usage("Unexpected argument '\(argument)'") }
            guard let kind = Self.kinds[parts[0]] else {
                let names = Self.kinds.keys.sorted() + ["--help", "--version"]
                let hint = NearestName.of(parts[0], among: names).map { ". Did you mean '\($0)'?" } ?? ""
                throw .usage("Unknown option '\(parts[0])'\(hint)")
            }
            guard let value = parts.dropFirst().first ?? rest.popFirst(), !value.isEmpty, !value.hasPrefix("-") else {
                throw .usage("Missing value for '\(parts[0]) <\(kind)>'")
            }
            switch parts[0] {
            case "--socket": socket = value
            case "--settings": settings = value
            default: listen = value
            }
        }
        guard let address = ListenAddress(listen), case .internet = address, address.isLoopback else {
            throw .usage(
                "--listen must be a port or ADDRESS:PORT of a loopback address (got '\(listen)'); other machines have no "
                    + "pages on this screen")
        }
        self.address = address
    }

    /// What the value of each option is.
    private static let kinds = ["--socket": "path", "--settings": "file", "--listen": "address"]
    fileprivate static let usage = "touchd-web [--socket <path>] [--settings <file>] [--listen <address>]"

    static let help = """
        OVERVIEW: Connect web pages with touchd.

        Serves touchd.js to browsers on this machine. A page with it publishes its
        buttons as views of a slot of the layout, and receives their touches, gestures
        and presses as DOM events. touchd-web.socket starts it for the first page.
        Pages of other servers need their origin in /etc/touchd/web.yaml.

        USAGE: \(usage)

        OPTIONS:
          --socket <path>         The control socket of the running touchd. (default:
                                  \(ControlAddress.ofClient))
          --settings <file>       The settings: allowed origins, a folder of pages,
                                  users, a token. (default: /etc/touchd/web.yaml)
          --listen <address>      Listen here if systemd passes no socket: a port of
                                  127.0.0.1, or ADDRESS:PORT of a loopback address.
                                  (default: 127.0.0.1:8348)
          --version               Show the version.
          -h, --help              Show help information.

        """
}

/// Why the program cannot serve pages.
struct WebFailure: CommandError, CustomStringConvertible {
    let description: String, status: Int32

    init(_ description: String, status: Int32 = EX_UNAVAILABLE) {
        (self.description, self.status) = (description, status)
    }

    fileprivate static func usage(_ problem: String) -> WebFailure {
        WebFailure(
            "error: \(problem)\nUsage: \(WebOptions.usage)\n  See 'touchd-web --help' for more information.",
            status: EX_USAGE)
    }
}
