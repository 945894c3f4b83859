import Foundation
import Testing

@testable import TestSupport

/// touchd with a broker: `mqtt:` of a layout, against mosquitto.
@Suite(.needs("mosquitto"), .needs("mosquitto-clients")) struct BrokerTests {
    /// A mosquitto on a free port, and its clients.
    private final class Broker {
        let port: Int
        private var process = Process()
        private let file = FileManager.default.temporaryDirectory.appending(path: "touchd-\(UUID().uuidString).conf")

        init() throws {
            let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_in(), length = socklen_t(MemoryLayout<sockaddr_in>.size)
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    _ = Foundation.bind(listener, $0, length)
                    _ = getsockname(listener, $0, &length)
                }
            }
            port = Int(UInt16(bigEndian: address.sin_port))
            close(listener)
            try "listener \(port) 127.0.0.1\nallow_anonymous true\n".write(to: file, atomically: true, encoding: .utf8)
            try start()
        }

        deinit {
            stop()
            try? FileManager.default.removeItem(at: file)
        }

        func start() throws {
            process = Process()
            process.executableURL = URL(filePath: "/usr/sbin/mosquitto")
            process.arguments = ["-c", file.path]
            process.standardError = FileHandle.nullDevice
            try process.run()
            while try client("pub", ["-t", "started", "-n"]).status != 0 {}
        }

        func stop() {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }

        func client(_ kind: String, _ arguments: [String]) throws -> (output: String, status: Int32) {
            let client = Process(), output = Pipe()
            // Tests run on threads of libdispatch, which block the signal of -W, and the program inherits that.
            let unblock =
                "import os, signal, sys; signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGALRM]); "
                + "os.execv(sys.argv[1], sys.argv[1:])"
            client.executableURL = URL(filePath: "/usr/bin/python3")
            client.arguments =
                ["-c", unblock, "/usr/bin/mosquitto_\(kind)", "-h", "127.0.0.1", "-p", "\(port)"] + arguments
            client.standardOutput = output
            client.standardError = FileHandle.nullDevice
            try client.run()
            let data = try output.fileHandleForReading.readToEnd() ?? Data()
            client.waitUntilExit()
            return (String(decoding: data, as: UTF8.self), client.terminationStatus)
        }

        func publish(_ text: String, to topic: String, _ more: String...) throws {
            _ = try client("pub", ["-q", "1", "-t", "kiosk/7/\(topic)", "-m", text] + more)
        }

        /// The payload that the broker retains; empty if none arrives within a number of seconds.
        func state(_ topic: String, patience: Int = 2) throws -> String {
            try client("sub", ["-t", topic, "--retained-only", "-C", "1", "-W", "\(patience)"]).output
                .trimmingCharacters(in: .newlines)
        }
    }

    private static func layout(_ broker: Broker) -> String {
        """
        screen: {size: [1920, 1080]}
        mqtt: {host: 127.0.0.1, port: \(broker.port), topic: kiosk/7, commands: [go, ignore], discovery: true}
        pages:
          start: {views: [{id: help, frame: [0, 0, 100, 100]}]}
          pay: {views: [{id: back, frame: [0, 0, 100, 100]}]}
        """
    }

    @Test("a broker has touchd's state, gives the listed commands, and learns that touchd was killed")
    func both() throws {
        let broker = try Broker()
        // Left over from before touchd started.
        try broker.publish("pay", to: "command/go", "-r")
        let touchd = try RunningTouchd(layout: Self.layout(broker))
        try touchd.waitForTouch()
        while try broker.state("kiosk/7/availability") != "online" {}
        while try broker.state("kiosk/7/last-touch").isEmpty {}
        #expect(try broker.state("kiosk/7/page", patience: 600) == "start")
        #expect(try broker.state("kiosk/7/version", patience: 600).contains("."))
        #expect(try broker.state("kiosk/7/devices", patience: 600).contains("\"use\": \"used\""))
        let config = try broker.state("homeassistant/select/kiosk_7/page/config", patience: 600)
        let entity = try JSONSerialization.jsonObject(with: Data(config.utf8)) as? [String: Any]
        #expect(entity?["options"] as? [String] == ["start", "pay"])

        try broker.publish("help", to: "command/hide")
        try broker.publish("nowhere", to: "command/go")
        try broker.publish("pay", to: "command/go")
        while try broker.state("kiosk/7/page") != "pay" {}
        // Messages arrive in order, and 'hide' is not a listed command.
        #expect(try touchd.command("go", "start").status == 0)
        #expect(try touchd.command("hit", "50", "50", "--running").output.hasPrefix("view 'help'"))
        try broker.publish("1 h", to: "command/ignore")
        while try !touchd.command("status").output.contains("touches are ignored now") {}
        try broker.publish("0", to: "command/ignore")
        while try touchd.command("status").output.contains("touches are ignored now") {}

        touchd.signal(SIGKILL)
        _ = touchd.end()
        while try broker.state("kiosk/7/availability") != "offline" {}
    }

    @Test("a flood of commands costs only itself, and after a restart of the broker all is as before")
    func floodAndRestart() throws {
        let broker = try Broker()
        let touchd = try RunningTouchd(layout: Self.layout(broker))
        try touchd.waitForTouch()
        while try broker.state("kiosk/7/availability") != "online" {}
        let flood = (0..<2000).map { $0 % 2 == 0 ? "pay" : "start" }.joined(separator: "\n")
        let file = FileManager.default.temporaryDirectory.appending(path: "touchd-\(UUID().uuidString)")
        try Data((flood + "\n" + String(repeating: "x", count: 5000) + "\n").utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let sender = Process()
        sender.executableURL = URL(filePath: "/usr/bin/mosquitto_pub")
        sender.arguments = ["-h", "127.0.0.1", "-p", "\(broker.port)", "-t", "kiosk/7/command/go", "-l"]
        sender.standardInput = try FileHandle(forReadingFrom: file)
        try sender.run()
        sender.waitUntilExit()
        #expect(try touchd.command("status").status == 0)
        func go(to page: String) throws {
            repeat { try broker.publish(page, to: "command/go") } while try broker.state("kiosk/7/page") != page
        }
        try go(to: "pay")
        try go(to: "start")

        broker.stop()
        try broker.start()
        while try broker.state("kiosk/7/availability") != "online" {}
        #expect(try broker.state("kiosk/7/page", patience: 600) == "start")
        try go(to: "pay")
        touchd.signal(SIGTERM)
        #expect(touchd.end() == 0)
        #expect(try broker.state("kiosk/7/availability", patience: 600) == "offline")
    }
}
