import ControlProtocol
import EventLoop
import Foundation
import Testing

@testable import Network
@testable import TestSupport

/// `touchd network` with a real broker: messages, and the kiosk's state and commands.
@MainActor @Suite(.needs("mosquitto"), .needs("mosquitto-clients")) final class NetworkBrokerTests {
    private let loop: EpollRunLoop
    private let broker: Broker
    private let touchd: PacketSocket
    private var server: NetworkServer?
    private var source: DescriptorSource?
    private var reports: [NetworkReport] = []
    private var number = 0
    private var didEnd = false

    init() throws {
        broker = try Broker()
        loop = try EpollRunLoop()
        let ends = try PacketSocket.pair()
        touchd = ends.0
        var settings = SenderSettings()
        settings.firstPause = .milliseconds(20)
        settings.drainTime = .seconds(3600)
        settings.credentials = broker.folder.path
        try start(settings, dup(ends.1.descriptor))
    }

    isolated deinit { source?.invalidate() }

    /// Starts the helper with one connection, as `touchd run` in a terminal does.
    private func start(_ settings: SenderSettings, _ descriptor: Int32) throws {
        server = NetworkServer(
            descriptor: descriptor, isListening: false, loop: loop, logger: .init(label: "test"), settings: settings)
        server?.didEnd = { [unowned self] in didEnd = true }
        let source = DescriptorSource(name: "touchd", descriptor: touchd.descriptor) { [unowned self] _ in
            while case .value(let report, _) = touchd.receive(NetworkReport.self) { reports.append(report) }
            if didEnd { self.source?.invalidate() }
        }
        self.source = source
        try loop.add(source)
        var hello = NetworkHello()
        hello.session = "a"
        try send(.hello(hello))
    }

    private func send(_ order: NetworkOrder) throws {
        while true {
            do { return try touchd.send(order.packet) } catch  where error.errno == EAGAIN { step() }
        }
    }

    private func setUp(commands: [LayoutCommand.Kind]? = nil) throws {
        var entry = BrokerSetup()
        (entry.host, entry.port, entry.clientID) = ("localhost", broker.port, "touchd-test")
        if let commands {
            var kiosk = KioskTopics()
            (kiosk.start, kiosk.commands) = ("kiosk", commands)
            entry.kiosk = kiosk
        }
        var setup = NetworkSetup()
        setup.brokers = [entry]
        try send(.setup(setup))
    }

    private func sendState(page: String, isIdle: Bool? = nil) throws {
        var state = KioskState()
        (state.pages, state.isIdle) = ([page], isIdle)
        try send(.state(state))
    }

    private func publish(_ text: String, to topic: String = "t", qos: Int = 1, retain: Bool = false) throws {
        number += 1
        var mqtt = MQTTMessage()
        (mqtt.broker, mqtt.topic) = (BrokerSetup.name("localhost", broker.port), topic)
        (mqtt.qos, mqtt.retain) = (qos, retain)
        var message = OutgoingMessage()
        (message.number, message.handler, message.mqtt, message.body) = (number, "say", mqtt, Array(text.utf8))
        try send(.message(message))
    }

    /// Handles all that is to be done now, or waits for the next event: a condition may take longer than an event.
    private func step() {
        var limit = Deadline.after(.milliseconds(20))
        while loop.run(until: limit, returnAfterSourceHandled: true) == .handledSource { limit = .now }
    }
    private func run(until isDone: () throws -> Bool) rethrows { while try !isDone() { step() } }

    private var done: [Int] { reports.flatMap { if case .done(let numbers) = $0 { numbers } else { [Int]() } } }
    private var failures: [String] {
        reports.compactMap { if case .failed(_, let reason) = $0 { reason } else { nil } }
    }
    private var peers: [PeerState] { reports.compactMap { if case .peer(let peer) = $0 { peer } else { nil } } }
    private var commands: [LayoutCommand] {
        reports.compactMap { if case .command(let command) = $0 { command } else { nil } }
    }
    private var refusals: [String] {
        reports.compactMap { if case .refused(let kind, let reason) = $0 { "\(kind) \(reason)" } else { nil } }
    }

    private func sendAll() { run { done.count + failures.count == number } }

    // MARK: Messages

    @Test("messages arrive with topic and quality of service, and retained ones reach later subscribers")
    func arrival() throws {
        try broker.start()
        let subscriber = try broker.subscriber()
        try setUp()
        try publish("one", to: "kiosk/touched", qos: 0)
        try publish("two", qos: 1)
        try publish("", qos: 2)
        try publish("page pay", qos: 1, retain: true)
        sendAll()
        // MQTT promises an order only among messages of one quality of service.
        let arrived = (0..<4).map { _ in subscriber.got() }
        #expect(arrived.filter { $0?.hasPrefix("t 1") == true } == ["t 1 0 two", "t 1 0 page pay"])
        #expect(Set(arrived) == ["kiosk/touched 0 0 one", "t 1 0 two", "t 2 0 ", "t 1 0 page pay"])
        #expect(try broker.subscriber().got() == "t 1 1 page pay")
        #expect(failures == [])
    }

    @Test("messages wait while the broker is away, and are sent in order")
    func absentBroker() throws {
        try setUp()
        for number in 1...40 { try publish("\(number)") }
        run { peers.contains { $0.phase == .waiting } }
        try broker.start("allow_anonymous true\nmax_inflight_messages 1")
        let subscriber = try broker.subscriber()
        sendAll()
        #expect((1...40).map { _ in subscriber.got() } == (1...40).map { "t 1 0 \($0)" })
        #expect(failures == [])
    }

    @Test("a broker that is killed while it takes messages gets all of them", arguments: [1, 2])
    func killedBroker(qos: Int) throws {
        try broker.start("allow_anonymous true\npersistence true\npersistence_location \(broker.folder.path)/")
        try setUp()
        for number in 1...200 {
            try publish("\(number)", qos: qos, retain: false)
            // So that the kill is at another place of the queue each time.
            if number == 100 { run { done.count > 20 } }
        }
        broker.stop()
        run { peers.last?.phase == .waiting }
        try broker.start()
        let subscriber = try broker.subscriber()
        let before = done.count
        sendAll()
        #expect(Set(done) == Set(1...200) && failures == [])
        // What was not confirmed before arrives now, in order.
        var arrived: [Int] = []
        while arrived.last != 200, let line = subscriber.got() {
            arrived.append(try #require(line.split(separator: " ").last.flatMap { Int($0) }))
        }
        var seen: Set<Int> = []
        let first = arrived.filter { seen.insert($0).inserted }
        #expect(first == first.sorted() && first.count >= 200 - before)
    }

    @Test("the confirmations of ten thousand messages are not a flood")
    func manyConfirmations() throws {
        try broker.start()
        try setUp()
        for _ in 0..<50 {
            for number in 0..<200 { try publish("\(number)", qos: 2) }
            sendAll()
        }
        #expect(failures == [])
        #expect(!peers.contains { $0.phase == .waiting })
    }

    @Test("the broker's user name and password are credentials; wrong ones are reported")
    func password() throws {
        let file = broker.folder.appending(path: "passwords").path
        let made = try Server(["/usr/bin/mosquitto_passwd", "-b", "-c", file, "kiosk", "s3cret"])
        while made.line() != nil {}
        made.stop()
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
        try broker.start("allow_anonymous false\npassword_file \(file)")
        try setUp()
        try publish("hello")
        run { peers.contains { $0.error == "not authorized; check the user name and the password" } }
        for (name, value) in [("username", "kiosk"), ("password", "s3cret")] {
            let file = broker.folder.appending(path: "touchd_mqtt.localhost.\(name)")
            try "\(value)\n".write(to: file, atomically: true, encoding: .utf8)
        }
        let subscriber = try broker.subscriber(["-u", "kiosk", "-P", "s3cret"])
        try setUp()
        sendAll()
        #expect(subscriber.got() == "t 1 0 hello")
    }

    @Test("over TLS a trusted broker receives the message, and an untrusted one nothing", arguments: ["own", "other"])
    func transportSecurity(trusted: String) throws {
        for name in ["own", "other"] { try makeCertificate(name, in: broker.folder) }
        let (certificate, key) = (
            broker.folder.appending(path: "own.crt").path, broker.folder.appending(path: "own.key").path
        )
        try broker.start("allow_anonymous true\ncertfile \(certificate)\nkeyfile \(key)")
        let subscriber = try broker.subscriber(["--cafile", certificate])
        var settings = SenderSettings()
        settings.firstPause = .milliseconds(20)
        settings.certificates = broker.folder.appending(path: "\(trusted).crt").path
        source?.invalidate()
        let context = SenderContext(loop: loop, settings: settings)
        var errors: [String] = []
        context.report = { if case .peer(let peer) = $0, let error = peer.error { errors.append(error) } }
        let client = Network.Broker("mqtt", context)
        var entry = BrokerSetup()
        (entry.host, entry.port) = ("localhost", broker.port)
        client.apply(entry)
        var message = OutgoingMessage()
        var mqtt = MQTTMessage()
        (mqtt.topic, mqtt.qos) = ("t", 1)
        (message.mqtt, message.body) = (mqtt, Array("hello".utf8))
        client.append(Delivery(session: TouchdSession("a", logger: .init(label: "test")), message: message))
        if trusted == "own" {
            run { context.deliveries.isEmpty }
            #expect(subscriber.got() == "t 1 0 hello")
        } else {
            run { !errors.isEmpty }
            #expect(errors.first == "TLS failed; check that this machine trusts the broker's certificate")
        }
    }

    // MARK: Kiosk

    @Test("the broker retains the latest state, and loses a topic that is no longer part of it")
    func state() throws {
        try broker.start()
        try setUp(commands: [])
        try sendState(page: "start", isIdle: false)
        try run { try broker.retained("kiosk/page") == "start" }
        try sendState(page: "pay")
        try run { try broker.retained("kiosk/page") == "pay" && broker.retained("kiosk/idle") == nil }
        #expect(try broker.retained("kiosk/availability", patience: 600) == "online")
        try send(.finish)
        run { didEnd }
        #expect(try broker.retained("kiosk/availability", patience: 600) == "offline")
    }

    @Test("after the broker's restart, state and subscriptions are renewed, and the kiosk's own offline is corrected")
    func reconnection() throws {
        try broker.start()
        try setUp(commands: [.go])
        try sendState(page: "start")
        try run { try broker.retained("kiosk/availability") == "online" }
        broker.stop()
        run { peers.last?.phase == .waiting }
        try broker.start()
        try run { try broker.retained("kiosk/page") == "start" && broker.retained("kiosk/availability") == "online" }
        run { peers.last?.phase == .connected }
        try broker.publish("offline", to: "kiosk/availability", retain: true)
        try run { try broker.retained("kiosk/availability") == "online" }
        try run {
            try broker.publish("pay", to: "kiosk/command/go")
            return commands.first == .named(.go, "pay")
        }
    }

    @Test("a retained command and one that is too long are refused, and another one is given")
    func unusualMessages() throws {
        try broker.start()
        try broker.publish("old", to: "kiosk/command/go", retain: true)
        try setUp(commands: [.go])
        run { !refusals.isEmpty }
        try broker.publish(String(repeating: "x", count: BrokerMessage.payloadLimit + 1), to: "kiosk/command/go")
        try broker.publish("", to: "kiosk/command/hide")
        try broker.publish("pay", to: "kiosk/command/go")
        run { !commands.isEmpty }
        #expect(refusals.count == 2 && refusals[0].contains("retained") && refusals[1].contains("1024 bytes"))
        #expect(commands == [.named(.go, "pay")])
    }

    @Test("a retained message that is too large is reported once, and costs only its own command")
    func oversizedMessage() throws {
        try broker.start("allow_anonymous true\nmax_packet_size 2000000")
        let file = broker.folder.appending(path: "large")
        try Data(count: 2 * Int(ByteAllowance.forMessages)).write(to: file)
        let sender = try Server([
            "/usr/bin/mosquitto_pub", "-h", "localhost", "-p", "\(broker.port)", "-q", "1", "-t", "kiosk/command/go",
            "-r", "-f", file.path,
        ])
        while sender.line() != nil {}
        try setUp(commands: [.show, .go, .hide])
        run { !refusals.isEmpty && peers.last?.phase == .connected }
        try sendState(page: "start")
        try run { try broker.retained("kiosk/page") == "start" }
        // The topics are subscribed to one after another, so the first messages may come too early.
        for (kind, text) in [(LayoutCommand.Kind.hide, "a"), (.show, "b")] {
            try run {
                try broker.publish(text, to: "kiosk/command/\(kind.rawValue)")
                return commands.contains(.named(kind, text))
            }
        }
        #expect(refusals.count == 1 && refusals[0].contains("over 256 KiB for 'kiosk/command/go'"))
    }
}
