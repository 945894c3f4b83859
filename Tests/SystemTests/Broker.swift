import Foundation

@testable import TestSupport

/// A mosquitto on its own port, and its clients.
final class Broker {
    let port = freePort()
    /// A folder that the broker can read after it has dropped root's privileges.
    let folder: URL
    private let owner: TemporaryFolder
    private var server: Server?

    init() throws {
        owner = try TemporaryFolder()
        folder = owner.url
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
    }

    /// Starts it and waits until it listens.
    func start(_ configuration: String = "allow_anonymous true") throws {
        let file = try owner.file("mosquitto.conf", "listener \(port) 127.0.0.1\n\(configuration)\n")
        server = try Server(["/usr/sbin/mosquitto", "-c", file.path], mergingErrors: true)
        while let line = server?.line(), !line.contains(" running") {}
    }

    /// Kills it.
    func stop() {
        server?.stop()
        server = nil
    }

    private func client(_ kind: String, _ arguments: [String]) throws -> Server {
        // Tests run on threads of libdispatch, which block the signal of -W, and the program inherits that.
        let unblock =
            "import os, signal, sys; signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGALRM]); "
            + "os.execv(sys.argv[1], sys.argv[1:])"
        return try Server(
            ["/usr/bin/python3", "-c", unblock, "/usr/bin/mosquitto_\(kind)", "-h", "localhost", "-p", "\(port)"]
                + arguments)
    }

    /// Publishes a message, and returns when the broker has it.
    func publish(_ text: String, to topic: String, retain: Bool = false) throws {
        let sender = try client("pub", ["-q", "1", "-t", topic, "-m", text] + (retain ? ["-r"] : []))
        while sender.line() != nil {}
    }

    /// The payload that it retains; nil if none arrives within a number of seconds.
    func retained(_ topic: String, patience: Int = 1) throws -> String? {
        try client("sub", ["-t", topic, "--retained-only", "-C", "1", "-W", "\(patience)"]).line()
    }

    /// Subscribes to everything, and returns when the broker has confirmed it; `got` reads the messages.
    func subscriber(_ arguments: [String] = []) throws -> Server {
        let subscriber = try Server(
            [
                "/usr/bin/stdbuf", "-oL", "/usr/bin/mosquitto_sub", "-h", "localhost", "-p", "\(port)", "-q", "2", "-t",
                "#", "-d", "-F", "GOT %t %q %r %p",
            ] + arguments)
        while let line = subscriber.line(), !line.hasPrefix("Subscribed") {}
        return subscriber
    }
}

extension Server {
    /// A subscriber's next message: topic, quality of service, whether it was retained, payload.
    func got() -> String? {
        while let line = line() {
            if line.hasPrefix("GOT ") { return String(line.dropFirst(4)) }
        }
        return nil
    }
}
