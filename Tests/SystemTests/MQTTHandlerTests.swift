import EventLoop
import Foundation
import Testing

@testable import Handlers
@testable import TestSupport

/// `publish` to a real broker.
@MainActor @Suite(.needs("mosquitto"), .needs("mosquitto-clients")) final class MQTTHandler {
    private let loop: EpollRunLoop
    private let folder = FileManager.default.temporaryDirectory.appending(path: "touchd-\(UUID().uuidString)")
    private let late = LateFailures()
    private var failures: [String] = []
    private let credentials: Credentials
    private let publisher: MQTTPublisher
    private let port = freePort()

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // The broker drops root privileges before it reads its files.
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
        loop = try EpollRunLoop()
        credentials = Credentials(directory: folder.path)
        publisher = MQTTPublisher(
            loop: loop, failures: late, credentials: credentials, firstPause: .milliseconds(20))
        late.didFail = { [unowned self] in failures.append("\($0.name): \($1)") }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Starts a broker and waits until it listens.
    private func broker(_ configuration: String = "allow_anonymous true", isVerbose: Bool = true) throws -> Server {
        let file = folder.appending(path: "mosquitto.conf")
        try "listener \(port) 127.0.0.1\n\(configuration)\n".write(to: file, atomically: true, encoding: .utf8)
        let broker = try Server(
            ["/usr/sbin/mosquitto", "-c", file.path] + (isVerbose ? ["-v"] : []), mergingErrors: true)
        while let line = broker.line(), !line.contains(" running") {}
        return broker
    }

    /// Subscribes to everything, and waits for the broker's confirmation.
    private func subscriber(_ arguments: [String] = []) throws -> Server {
        let subscriber = try Server(
            [
                "/usr/bin/stdbuf", "-oL", "/usr/bin/mosquitto_sub", "-h", "127.0.0.1", "-p", "\(port)", "-q", "2", "-t",
                "#", "-d", "-F",
                "GOT %t %q %r %p",
            ] + arguments)
        while let line = subscriber.line(), !line.hasPrefix("Subscribed") {}
        return subscriber
    }

    private func got(_ subscriber: Server) -> String? {
        while let line = subscriber.line() {
            if line.hasPrefix("GOT ") { return String(line.dropFirst(4)) }
        }
        return nil
    }

    private func publish(_ text: String, to topic: String = "kiosk", qos: Int = 1, retain: Bool = false) throws {
        try publisher.publish(
            .init(handler: "say", topic: topic, payload: Array(text.utf8), qos: qos, retain: retain),
            to: .init(host: "localhost", port: port))
    }

    private func sendAll() {
        while publisher.count > 0 { _ = loop.run(returnAfterSourceHandled: true) }
    }

    @Test("messages arrive in order, with topic and quality of service")
    func arrival() throws {
        let broker = try broker()
        let subscriber = try subscriber()
        try publish("one", to: "kiosk/touched", qos: 0)
        try publish("two", qos: 1)
        try publish("", qos: 2)
        sendAll()

        #expect(
            [got(subscriber), got(subscriber), got(subscriber)] == [
                "kiosk/touched 0 0 one", "kiosk 1 0 two", "kiosk 2 0 ",
            ])
        #expect(failures == [])
        #expect(publisher.close() == 0)
        broker.stop()
    }

    @Test("a retained message reaches later subscribers")
    func retained() throws {
        let broker = try broker()
        try publish("page pay", qos: 1, retain: true)
        sendAll()

        #expect(got(try subscriber()) == "kiosk 1 1 page pay")
        #expect(publisher.close() == 0)
        broker.stop()
    }

    @Test("messages wait while the broker is away, and are sent in order with one entry")
    func absentBroker() throws {
        for number in 1...40 { try publish("\(number)") }
        while failures.isEmpty { _ = loop.run(returnAfterSourceHandled: true) }
        let broker = try broker("allow_anonymous true\nmax_inflight_messages 1")
        let subscriber = try subscriber()
        sendAll()

        #expect((1...40).map { _ in got(subscriber) } == (1...40).map { "kiosk 1 0 \($0)" })
        #expect(failures.count == 1)
        #expect(failures.first?.hasPrefix("say: not sent to mqtt://localhost:\(port): ") == true)
        #expect(failures.first?.hasSuffix("; touchd will retry") == true)
        #expect(publisher.close() == 0)
        broker.stop()
    }

    @Test("the confirmations of ten thousand messages are not a flood")
    func manyConfirmations() throws {
        let broker = try broker(isVerbose: false)
        for _ in 0..<50 {
            for number in 0..<200 { try publish("\(number)", qos: 2) }
            sendAll()
        }
        #expect(failures == [])
        #expect(publisher.close() == 0)
        broker.stop()
    }

    @Test("a restarted broker receives the next messages")
    func restartedBroker() throws {
        let first = try broker()
        try publish("before")
        sendAll()
        first.stop()

        let second = try broker()
        let subscriber = try subscriber()
        try publish("after")
        sendAll()

        #expect(got(subscriber) == "kiosk 1 0 after")
        #expect(publisher.close() == 0)
        second.stop()
    }

    @Test("when the queue is full the oldest messages are kept, and each new one fails")
    func bound() throws {
        for number in 0..<RetryQueue<Int>.limit { try publish("\(number)") }
        #expect(
            throws: HandlerFailure.messageNotSent(
                to: "mqtt://localhost:\(port)", reason: "256 messages are waiting already")
        ) {
            try publish("one too many")
        }
        #expect(publisher.close() == 256)
    }

    @Test("the broker's user name and password are credentials; wrong ones are logged")
    func password() throws {
        let file = folder.appending(path: "passwords").path
        let made = try Server(["/usr/bin/mosquitto_passwd", "-b", "-c", file, "kiosk", "s3cret"])
        while made.line() != nil {}
        made.stop()
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
        let broker = try broker("allow_anonymous false\npassword_file \(file)")
        try publish("hello")
        while failures.isEmpty { _ = loop.run(returnAfterSourceHandled: true) }
        #expect(failures.first?.contains("not authori") == true)

        for (name, value) in [("username", "kiosk"), ("password", "s3cret")] {
            let file = folder.appending(path: "mqtt.localhost.\(name)")
            try "\(value)\n".write(to: file, atomically: true, encoding: .utf8)
            #expect(credentials.load(file.lastPathComponent) == nil)
        }
        let subscriber = try subscriber(["-u", "kiosk", "-P", "s3cret"])
        sendAll()
        #expect(got(subscriber) == "kiosk 1 0 hello")
        #expect(publisher.close() == 0)
        broker.stop()
    }

    @Test("over TLS a trusted broker receives the message, and an untrusted one nothing")
    func transportSecurity() throws {
        for name in ["own", "other"] { try makeCertificate(name, in: folder) }
        let (certificate, key) = (folder.appending(path: "own.crt").path, folder.appending(path: "own.key").path)
        let broker = try broker("allow_anonymous true\ncertfile \(certificate)\nkeyfile \(key)")
        let subscriber = try subscriber(["-h", "localhost", "--cafile", certificate])
        func publisher(trusting name: String, pause: Duration) -> MQTTPublisher {
            MQTTPublisher(
                loop: loop, failures: late, credentials: credentials, firstPause: pause,
                certificates: folder.appending(path: "\(name).crt").path)
        }
        let address = MosquittoClient.Address(host: "localhost", port: port)
        func message(_ text: String) -> MQTTPublisher.Message {
            .init(handler: "say", topic: "kiosk", payload: Array(text.utf8), qos: 1, retain: false)
        }
        let wrong = publisher(trusting: "other", pause: .seconds(3600))
        try wrong.publish(message("secret"), to: address)
        while failures.isEmpty { _ = loop.run(returnAfterSourceHandled: true) }
        #expect(failures.first?.contains("TLS") == true)
        #expect(wrong.close() == 1)

        let right = publisher(trusting: "own", pause: .milliseconds(20))
        try right.publish(message("hello"), to: address)
        while right.count > 0 { _ = loop.run(returnAfterSourceHandled: true) }
        #expect(got(subscriber) == "kiosk 1 0 hello")
        #expect(right.close() == 0)
        broker.stop()
    }
}
