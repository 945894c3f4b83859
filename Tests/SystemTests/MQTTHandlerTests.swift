import EventLoop
import Foundation
import Testing

@testable import Handlers
@testable import TestSupport

/// `publish` to a real broker.
@MainActor @Suite(.needs("mosquitto"), .needs("mosquitto-clients")) final class MQTTHandler {
    private let loop: EpollRunLoop
    private let broker: Broker
    private let late = LateFailures()
    private var failures: [String] = []
    private let credentials: Credentials
    private let publisher: MQTTPublisher

    init() throws {
        broker = try Broker()
        loop = try EpollRunLoop()
        credentials = Credentials(directory: broker.folder.path)
        publisher = MQTTPublisher(
            NetworkContext(loop: loop, failures: late, credentials: credentials, firstPause: .milliseconds(20)))
        late.didFail = { [unowned self] in failures.append("\($0.name): \($1)") }
    }

    private func publish(_ text: String, to topic: String = "kiosk", qos: Int = 1, retain: Bool = false) throws {
        try publisher.publish(
            .init(handler: "say", topic: topic, payload: Array(text.utf8), qos: qos, retain: retain),
            to: .init(host: "localhost", port: broker.port))
    }

    private func sendAll() {
        while publisher.count > 0 { _ = loop.run(returnAfterSourceHandled: true) }
    }

    @Test("messages arrive in order, with topic and quality of service, and retained ones reach later subscribers")
    func arrival() throws {
        try broker.start()
        let subscriber = try broker.subscriber()
        try publish("one", to: "kiosk/touched", qos: 0)
        try publish("two", qos: 1)
        try publish("", qos: 2)
        sendAll()
        #expect((0..<3).map { _ in subscriber.got() } == ["kiosk/touched 0 0 one", "kiosk 1 0 two", "kiosk 2 0 "])
        try publish("page pay", qos: 1, retain: true)
        sendAll()
        #expect(try broker.subscriber().got() == "kiosk 1 1 page pay")
        #expect(failures == [])
        #expect(publisher.close() == 0)
    }

    @Test("messages wait while the broker is away, and are sent in order with one entry")
    func absentBroker() throws {
        for number in 1...40 { try publish("\(number)") }
        while failures.isEmpty { _ = loop.run(returnAfterSourceHandled: true) }
        try broker.start("allow_anonymous true\nmax_inflight_messages 1")
        let subscriber = try broker.subscriber()
        sendAll()

        #expect((1...40).map { _ in subscriber.got() } == (1...40).map { "kiosk 1 0 \($0)" })
        #expect(failures.count == 1)
        #expect(failures.first?.hasPrefix("say: not sent to mqtt://localhost:\(broker.port): ") == true)
        #expect(failures.first?.hasSuffix("; touchd will retry") == true)
        #expect(publisher.close() == 0)
    }

    @Test("the confirmations of ten thousand messages are not a flood")
    func manyConfirmations() throws {
        try broker.start()
        for _ in 0..<50 {
            for number in 0..<200 { try publish("\(number)", qos: 2) }
            sendAll()
        }
        #expect(failures == [])
        #expect(publisher.close() == 0)
    }

    @Test("a restarted broker receives the next messages")
    func restartedBroker() throws {
        try broker.start()
        try publish("before")
        sendAll()
        broker.stop()

        try broker.start()
        let subscriber = try broker.subscriber()
        try publish("after")
        sendAll()

        #expect(subscriber.got() == "kiosk 1 0 after")
        #expect(publisher.close() == 0)
    }

    @Test("when the queue is full the oldest messages are kept, and each new one fails")
    func bound() throws {
        for number in 0..<RetryQueue<Int>.limit { try publish("\(number)") }
        #expect(
            throws: HandlerFailure.messageNotSent(
                to: "mqtt://localhost:\(broker.port)", reason: "256 messages are waiting already")
        ) {
            try publish("one too many")
        }
        #expect(publisher.close() == 256)
    }

    @Test("the broker's user name and password are credentials; wrong ones are logged")
    func password() throws {
        let file = broker.folder.appending(path: "passwords").path
        let made = try Server(["/usr/bin/mosquitto_passwd", "-b", "-c", file, "kiosk", "s3cret"])
        while made.line() != nil {}
        made.stop()
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
        try broker.start("allow_anonymous false\npassword_file \(file)")
        try publish("hello")
        while failures.isEmpty { _ = loop.run(returnAfterSourceHandled: true) }
        #expect(failures.first?.contains("not authori") == true)

        for (name, value) in [("username", "kiosk"), ("password", "s3cret")] {
            let file = broker.folder.appending(path: "mqtt.localhost.\(name)")
            try "\(value)\n".write(to: file, atomically: true, encoding: .utf8)
            #expect(credentials.load(file.lastPathComponent) == nil)
        }
        let subscriber = try broker.subscriber(["-u", "kiosk", "-P", "s3cret"])
        sendAll()
        #expect(subscriber.got() == "kiosk 1 0 hello")
        #expect(publisher.close() == 0)
    }

    @Test("over TLS a trusted broker receives the message, and an untrusted one nothing")
    func transportSecurity() throws {
        for name in ["own", "other"] { try makeCertificate(name, in: broker.folder) }
        let (certificate, key) = (
            broker.folder.appending(path: "own.crt").path, broker.folder.appending(path: "own.key").path
        )
        try broker.start("allow_anonymous true\ncertfile \(certificate)\nkeyfile \(key)")
        let subscriber = try broker.subscriber(["--cafile", certificate])
        func publisher(trusting name: String, pause: Duration) -> MQTTPublisher {
            MQTTPublisher(
                NetworkContext(
                    loop: loop, failures: late, credentials: credentials, firstPause: pause,
                    certificates: broker.folder.appending(path: "\(name).crt").path))
        }
        let address = MosquittoClient.Address(host: "localhost", port: broker.port)
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
        #expect(subscriber.got() == "kiosk 1 0 hello")
        #expect(right.close() == 0)
    }
}
