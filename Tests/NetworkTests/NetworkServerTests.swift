import ControlProtocol
import EventLoop
import Foundation
import Testing

@testable import Network
@testable import TestSupport

/// The sessions of `touchd network`, over a real socket.
@Suite final class NetworkServerTests {
    private let helper: Helper
    private let touchd: TouchdEnd

    init() throws {
        helper = try Helper()
        touchd = try helper.connect()
    }

    // MARK: Connections

    @Test("a connection that begins with another packet than hello is closed, and no other one")
    func order() throws {
        helper.run { touchd.reports == [.hello(1)] }
        for order in [NetworkOrder.finish, .setup(.init()), .state(.init()), .message(.init())] {
            let other = try TouchdEnd(helper)
            other.send(order)
            other.waitForClose()
            #expect(other.reports == [])
        }
        touchd.send { _ in }
        helper.run { touchd.problems == [[]] }
        #expect(helper.log.lines.count == 4 && helper.log.lines[0].contains("invalid packet"))
    }

    @Test("another version gets an answer and the end")
    func version() throws {
        let touchd = try helper.connect(version: 2)
        touchd.waitForClose()
        #expect(touchd.reports == [.hello(1)])
    }

    @Test("a probe gets an answer and does not end the session; it can give no orders")
    func probe() throws {
        let probe = try helper.connect(isProbe: true)
        helper.run { probe.reports == [.hello(1)] }
        touchd.send { _ in }
        helper.run { touchd.problems == [[]] }
        probe.send(.finish)
        probe.waitForClose()
        #expect(!touchd.isClosed)
    }

    @Test("a new session ends the old connection, whose messages are sent first")
    func newSession() throws {
        let (server, port) = try helper.start("server.py")
        let old = touchd
        let path = "http://127.0.0.1:\(port)/"
        old.send { _ in }
        for number in 1...3 { old.post("\(path)old\(number)") }
        let new = try helper.connect("b")
        new.send { _ in }
        new.post("\(path)new")
        new.waitForOutcomes(1)
        old.waitForClose()
        #expect(try (0..<4).map { _ in try server.request().path } == ["/old1", "/old2", "/old3", "/new"])
        #expect(new.done == [1])
    }

    @Test("a message number that does not grow ends the connection", arguments: [[1, 1], [2, 1], [.max, 5]])
    func numbers(_ numbers: [Int]) throws {
        for number in numbers { touchd.send(number: number) { $0.http = HTTPMessage() } }
        touchd.waitForClose()
    }

    @Test("a message without a destination, with two, with another quality of service or too large ends the connection")
    func invalidMessages() throws {
        let changes: [(inout OutgoingMessage) -> Void] = [
            { _ in }, { ($0.mqtt, $0.http) = (MQTTMessage(), HTTPMessage()) },
            { $0.mqtt = MQTTMessage { $0.qos = 3 } },
            { ($0.http, $0.body) = (HTTPMessage(), Array(repeating: 0, count: NetworkOrder.bodyLimit + 1)) },
        ]
        for change in changes {
            let touchd = try helper.connect()
            touchd.send(change)
            touchd.waitForClose()
        }
    }

    @Test("packets of random bytes and in random order never end the helper, only their connection")
    func hostilePackets() throws {
        var random = SplitMix(state: 62)
        let setup = NetworkSetup { $0.brokers = [BrokerSetup { $0.host = "127.0.0.1" }] }
        let message = OutgoingMessage { $0.mqtt = MQTTMessage() }
        let orders: [NetworkOrder] = [.hello(.init()), .setup(setup), .state(.init()), .message(message), .finish]
        for _ in 0..<400 {
            let end = try Bool.random(using: &random) ? helper.connect() : TouchdEnd(helper)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                var packet = orders.randomElement(using: &random)?.packet ?? []
                for _ in 0..<Int.random(in: 0...3, using: &random) {
                    let index = Int.random(in: 0..<packet.count, using: &random)
                    switch Int.random(in: 0..<3, using: &random) {
                    case 0: packet[index] = UInt8.random(in: 0...255, using: &random)
                    case 1: packet.removeSubrange(index...)
                    default:
                        packet.insert(
                            contentsOf: (0..<9).map { _ in UInt8.random(in: 0...255, using: &random) }, at: index)
                    }
                    if packet.isEmpty { packet = [0] }
                }
                end.send(bytes: packet)
            }
            helper.step()
            end.close()
        }
        // All of it is read when another connection works.
        let touchd = try helper.connect("z")
        touchd.send { _ in }
        helper.run { touchd.problems == [[]] }
    }

    // MARK: Outcomes

    @Test("a connection of the same session gets the outcomes again, and what still waits is not queued twice")
    func resent() throws {
        let (server, port) = try helper.start("server.py")
        let first = touchd
        first.post("http://127.0.0.1:\(port)/status/404/", retries: 0)
        first.post("http://127.0.0.1:\(port)/silent/")
        first.post("http://127.0.0.1:\(port)/waiting")
        helper.run { first.failures.count == 1 && first.begun.contains(2) }
        first.close()

        let second = try helper.connect()
        second.post("http://127.0.0.1:\(port)/status/404/", retries: 0)
        second.post("http://127.0.0.1:\(port)/silent/")
        second.post("http://127.0.0.1:\(port)/waiting")
        second.post("http://127.0.0.2:\(port)/")
        helper.run { second.failures.count == 2 }
        #expect(second.failures[1] == "the server answered 404")
        #expect(second.begun == [2])
        #expect(try (0..<2).map { _ in try server.request().path } == ["/status/404/", "/silent/"])
        server.stop()
    }

    @Test("a request that has begun is reported once, also if it is sent again")
    func begins() throws {
        let (server, port) = try helper.start("server.py")
        touchd.post("http://127.0.0.1:\(port)/busy/2/")
        touchd.waitForOutcomes(1)
        #expect(touchd.begun == [1] && touchd.done == [1])
        server.stop()
    }

    @Test("touchd that reads nothing blocks nothing, and gets all outcomes when it reads")
    func slowReader() throws {
        touchd.isReading = false
        for _ in 0..<2_000 { touchd.send { $0.mqtt = MQTTMessage() } }
        let other = try helper.connect(isProbe: true)
        helper.run { !other.reports.isEmpty }
        touchd.isReading = true
        touchd.waitForOutcomes(2_000)
        #expect(touchd.failures.count == 2_000)
    }

    @Test(
        "what a touchd sends that restarts many times has one limit: the rest fails at once, and other brokers have room",
        arguments: [
            (size: 0, brokers: 1, kept: 512, "512 messages are waiting already"),
            (size: 0, brokers: 4, kept: 1024, "1024 messages of 0 KiB are waiting already"),
            (size: 32 * 1024, brokers: 1, kept: 128, "128 messages of 4096 KiB are waiting already"),
        ])
    func restarts(size: Int, brokers: Int, kept: Int, reason: String) throws {
        helper.server.context.loadBrokerLibrary = { nil }
        helper.server.context.connect = { _, _ in
            BrokerClient(publish: { _, _, _, _ in .disconnected("") }, subscribe: { _ in }, close: {})
        }
        let body = String(repeating: "x", count: size)
        var failures: [String] = []
        for run in 1...8 {
            let touchd = try helper.connect("run \(run)")
            touchd.send {
                $0.brokers = (1...brokers).map { port in
                    BrokerSetup { ($0.host, $0.port) = ("127.0.0.1", port) }
                }
            }
            for number in 0..<256 { touchd.publish(body, to: 1 + number % brokers) }
            touchd.send { _ in }
            helper.run { touchd.problems.count == 2 }
            failures += touchd.failures.sorted { $0.key < $1.key }.map(\.value)
        }
        #expect(failures.count == 8 * 256 - kept && failures.last == reason)
    }

    // MARK: Setup

    @Test("each setup is answered with its problems: missing and invalid credentials by name")
    func credentials() throws {
        _ = try helper.folder.file("two", "s3cret\nX-Evil: 1")
        _ = try helper.folder.file("touchd_good", "s3cret\n")
        _ = try helper.folder.file("mqtt.broker.example.username", "kiosk")
        touchd.send {
            $0.requests = ["good", "two", "none", "../two"].map { (name: String) in
                RequestSetup { ($0.credential, $0.location) = (name, "kiosk.yaml:\(name)") }
            }
            $0.brokers = [
                BrokerSetup { ($0.host, $0.port, $0.location) = ("broker.example", 1, "kiosk.yaml:9") }
            ]
        }
        helper.run { touchd.problems.count == 1 }
        #expect(
            touchd.problems[0].map { "\($0.location) \($0.message)" } == [
                "kiosk.yaml:two 'http' will fail: credential 'two' must be one line of text",
                "kiosk.yaml:none 'http' will fail: credential 'none' is missing; put the secret into "
                    + "/etc/touchd/credentials/none, then run: systemctl restart touchd-network",
                "kiosk.yaml:../two 'http' will fail: invalid credential name '../two'",
                "kiosk.yaml:9 'publish' sends the password for broker.example unencrypted; port 8883 is for TLS",
            ])
        touchd.send { _ in }
        helper.run { touchd.problems.count == 2 }
        #expect(touchd.problems[1] == [])
    }

    @Test("without a service there are no credentials")
    func noService() throws {
        let helper = try Helper { $0.credentials = nil }
        let touchd = try helper.connect()
        touchd.send { $0.requests = [RequestSetup { $0.credential = "key" }] }
        helper.run { touchd.problems.count == 1 }
        #expect(
            touchd.problems[0].first?.message
                == "'http' will fail: credential 'key' is missing, because touchd does not run as a service")
    }

    @Test("for datagrams touchd gets a connected socket")
    func datagrams() throws {
        let receiver = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(receiver) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(receiver, $0, length)
                _ = getsockname(receiver, $0, &length)
            }
        }
        let port = Int(UInt16(bigEndian: address.sin_port))
        touchd.send { $0.datagrams = [DatagramAddress { ($0.host, $0.port) = ("127.0.0.1", port) }] }
        helper.run { !touchd.descriptors.isEmpty }
        #expect(touchd.reports.contains(.datagram(0)))
        #expect(send(touchd.descriptors[0].number, "touch", 5, 0) == 5)
        var bytes = [UInt8](repeating: 0, count: 10)
        #expect(recv(receiver, &bytes, 10, 0) == 5)
    }

    @Test("an address for datagrams that cannot be reached is reported, and does not hold up the others")
    func unreachableDatagrams() throws {
        // connect(2) refuses broadcasts without SO_BROADCAST.
        touchd.send {
            $0.datagrams = ["255.255.255.255", "127.0.0.1"].map { host in
                DatagramAddress { ($0.host, $0.port) = (host, 3333) }
            }
        }
        helper.run { !touchd.descriptors.isEmpty }
        #expect(touchd.reports.contains(.datagram(1)) && !touchd.reports.contains(.datagram(0)))
        #expect(touchd.peers == ["waiting connect: Permission denied (EACCES)", "connected -"])
        // It is tried again without effect, and not reported again.
        let attempts = helper.server.datagrams.attempts
        helper.run { helper.server.datagrams.attempts > attempts + 2 }
        #expect(touchd.peers.count == 2)
    }

    @Test("a socket for datagrams that has failed is replaced later; another setup or session gets one at once")
    func renewedDatagrams() throws {
        let helper = try Helper { $0.firstPause = .seconds(3600) }
        let touchd = try helper.connect()
        func set(_ port: Int, _ touchd: TouchdEnd) {
            touchd.send { $0.datagrams = [DatagramAddress { ($0.host, $0.port) = ("127.0.0.1", port) }] }
        }
        set(3333, touchd)
        helper.run { touchd.descriptors.count == 1 }
        set(3333, touchd)
        helper.run { touchd.problems.count == 2 }
        helper.step()
        #expect(touchd.descriptors.count == 1)
        set(3334, touchd)
        helper.run { touchd.descriptors.count == 2 }
        let second = try helper.connect("b")
        set(3334, second)
        helper.run { second.descriptors.count == 1 }
    }

    @Test("a message for a broker that the setup does not have fails")
    func unknownBroker() throws {
        touchd.publish("lost", to: 1)
        touchd.waitForOutcomes(1)
        #expect(touchd.failures == [1: "the layout does not have this broker any more"])
    }

    // MARK: End

    @Test("after finish it ends when everything is sent")
    func finish() throws {
        let (server, port) = try helper.start("server.py")
        for number in 1...5 { touchd.post("http://127.0.0.1:\(port)/\(number)") }
        touchd.send(.finish)
        helper.run { helper.didEnd }
        touchd.waitForClose()
        #expect(touchd.done == [1, 2, 3, 4, 5])
        #expect(helper.log.lines == [])
        server.stop()
    }

    @Test("what is not sent in time after finish is logged by handler")
    func finishInTime() throws {
        let (server, port) = try helper.start("server.py")
        let helper = try Helper { $0.drainTime = .milliseconds(50) }
        let touchd = try helper.connect()
        for _ in 1...3 { touchd.post("http://127.0.0.1:\(port)/silent/") }
        touchd.send(.finish)
        helper.run { helper.didEnd }
        #expect(helper.log.lines == ["warning: tell: 3 messages were not sent, because touchd has ended"])
        server.stop()
    }

    @Test("as a child it ends with its only connection, also if touchd has not said hello")
    func child() throws {
        let loop = try EpollRunLoop()
        let ends = try PacketSocket.pair()
        let server = NetworkServer(
            descriptor: dup(ends.1.descriptor), isListening: false, loop: loop, logger: .init(label: "test"))
        server.didEnd = { loop.stop() }
        shutdown(ends.0.descriptor, Int32(SHUT_RDWR))
        // Otherwise it runs without an end.
        withExtendedLifetime(server) { _ = loop.run() }
    }

    @Test("SIGTERM ends it without a log entry: touchd keeps what is left for the next helper")
    func terminate() throws {
        let (server, port) = try helper.start("server.py")
        let helper = try Helper { $0.drainTime = .milliseconds(50) }
        let touchd = try helper.connect()
        touchd.post("http://127.0.0.1:\(port)/silent/")
        helper.run { touchd.begun == [1] }
        helper.server.terminate()
        helper.run { helper.didEnd }
        touchd.waitForClose()
        #expect(helper.log.lines == [])
        server.stop()
    }

    @Test("after SIGTERM a hello that was waiting does not keep it: touchd connects to the next helper")
    func terminatedBeforeHello() throws {
        let (server, port) = try helper.start("server.py")
        let helper = try Helper { $0.drainTime = .milliseconds(50) }
        let touchd = try helper.connect()
        touchd.post("http://127.0.0.1:\(port)/silent/")
        helper.run { touchd.begun == [1] }
        let waiting = try TouchdEnd(helper)
        helper.step()
        helper.server.terminate()
        waiting.send(.hello(NetworkHello { $0.session = "b" }))
        helper.run { helper.didEnd }
        waiting.waitForClose()
        #expect(waiting.reports == [])
        server.stop()
    }

    @Test("without a session it ends when its messages are sent and the time for a new session has passed")
    func linger() throws {
        let (server, port) = try helper.start("server.py")
        let helper = try Helper { $0.linger = .milliseconds(50) }
        let touchd = try helper.connect()
        touchd.post("http://127.0.0.1:\(port)/busy/1/")
        touchd.send { _ in }
        helper.run { touchd.problems.count == 1 }
        touchd.close()
        helper.run { helper.didEnd }
        #expect(try (0..<2).map { _ in try server.request().path } == ["/busy/1/", "/busy/1/"])
        server.stop()
    }

    @Test("without a session it keeps the outcomes as long as touchd may ask for them: what must go once goes once")
    func memory() throws {
        let (server, port) = try helper.start("server.py")
        let helper = try Helper { ($0.linger, $0.memory) = (.milliseconds(10), .seconds(3600)) }
        let first = try helper.connect()
        first.post("http://127.0.0.1:\(port)/status/404/", retries: 0)
        helper.run { first.failures.count == 1 }
        first.close()
        for _ in 0..<5 { helper.step() }
        let second = try helper.connect()
        second.post("http://127.0.0.1:\(port)/status/404/", retries: 0)
        helper.run { second.failures.count == 1 || helper.didEnd }
        #expect(!helper.didEnd)
        #expect(try server.request().path == "/status/404/")
        #expect(second.begun.isEmpty)
        server.stop()
    }

    @Test("a session that comes while the messages before it are sent keeps the helper from ending")
    func restart() throws {
        let (server, port) = try helper.start("server.py")
        touchd.post("http://127.0.0.1:\(port)/silent/", retries: 0)
        helper.run { touchd.begun == [1] }
        touchd.send(.finish)
        touchd.close()
        let second = try helper.connect("b")
        helper.run { !second.reports.isEmpty }
        server.stop()
        // It comes after the first message, which has failed.
        second.post("http://127.0.0.1:\(port)/", retries: 0)
        helper.run { second.failures.count == 1 || helper.didEnd }
        #expect(!helper.didEnd)
    }

    @Test("a message that a broker has not got before the last second fails when a session comes in that second")
    func leaving() throws {
        let helper = try Helper { ($0.drainTime, $0.farewellTime) = (.milliseconds(10), .seconds(3600)) }
        helper.server.context.loadBrokerLibrary = { nil }
        // One is away, and the other one keeps the helper, because it does not confirm `offline`.
        helper.server.context.connect = { [loop = helper.loop] target, report in
            loop.perform(in: .common) {
                report(target.port == 1 ? .ended("away", byBroker: false) : .connected)
            }
            return BrokerClient(publish: { _, _, _, _ in .sent(1) }, subscribe: { _ in }, close: {})
        }
        let first = try helper.connect()
        first.send {
            $0.brokers = [1, 2].map { port in
                BrokerSetup { ($0.host, $0.port) = ("127.0.0.1", port) }
            }
            $0.brokers[1].kiosk = KioskTopics { $0.start = "touchd/k" }
        }
        first.publish("lost", to: 1)
        helper.run { first.peers.contains("connected -") && first.peers.contains("waiting away") }
        first.send(.finish)
        helper.run { !helper.log.lines.isEmpty }
        first.close()
        let second = try helper.connect("b")
        helper.run { !second.reports.isEmpty }
        #expect(helper.server.context.deliveries.isEmpty)
        #expect(helper.log.lines.dropFirst() == ["warning: tell: not sent to mqtt://127.0.0.1:1: touchd has ended"])
        #expect(!helper.didEnd)
    }
}
