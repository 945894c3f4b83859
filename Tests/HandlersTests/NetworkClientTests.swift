import ControlProtocol
import EventLoop
import Foundation
import Testing

@testable import Handlers
@testable import Layout

/// touchd's end of the connection to the process that has the network.
@Suite struct NetworkClientTests {
    private let stand: NetworkPeerStand

    init() throws { stand = try NetworkPeerStand() }

    @Test("messages wait until the other process is there, and arrive in order, each as one packet")
    func order() throws {
        for text in ["a", "b\n", ""] { try stand.send(text) }
        try stand.accept()
        #expect(stand.messages(3) == ["1 a", "2 b\n", "3 "])
        try stand.answer(.done([1, 3]))
        while stand.client.currentPeers.map(\.waiting) != [1] { stand.step() }
    }

    @Test("when the other process ends, what has no outcome is sent again in order; what must go once is not")
    func death() throws {
        for text in ["a", "b", "c", "d"] { try stand.send(text) }
        try stand.accept()
        _ = stand.messages(4)
        try stand.connection?.send(NetworkReport.done([1]))
        try stand.connection?.send(NetworkReport.begun(3))
        stand.die()
        try stand.send("e")
        try stand.accept()
        #expect(stand.messages(3) == ["2 b", "4 d", "5 e"])
        #expect(
            stand.failures == [
                "say: not sent to mqtt://b:1883: the connection to touchd-network ended while it was sent; it may have "
                    + "arrived, and is not repeated"
            ])
    }

    @Test("an outcome that the other process reported before it was killed counts, though it had not read all")
    func lastWords() throws {
        try stand.send("a")
        try stand.accept()
        _ = stand.messages(1)
        try stand.send("unread")
        try stand.connection?.send(NetworkReport.begun(1))
        try stand.connection?.send(NetworkReport.done([1]))
        stand.die()
        try stand.accept()
        #expect(stand.messages(1) == ["2 unread"])
        #expect(stand.failures == [])
    }

    @Test("another process that reads nothing delays nothing; when the outbox is full, new messages fail")
    func silence() throws {
        try stand.send("first")
        try stand.accept()
        let text = String(repeating: "x", count: 7000)
        for _ in 1..<Outbox.peerLimit { try stand.send(text) }
        #expect(throws: HandlerFailure.messageNotSent(to: "mqtt://b:1883", reason: "256 messages are waiting already"))
        {
            try stand.send(text)
        }
        for _ in 0..<44 { try stand.send(text, to: "mqtt://c:1883") }
        #expect(throws: HandlerFailure.self) { try stand.send(text, to: "mqtt://c:1883") }
        #expect(stand.messages(300).enumerated().allSatisfy { $1.hasPrefix("\($0 + 1) ") })
        #expect(stand.client.currentPeers.map(\.dropped) == [1, 1])
    }

    @Test("a layout that is loaded while the other process reads nothing gets its setup, before later messages")
    func lateSetup() throws {
        try stand.send("1")
        try stand.accept()
        let text = String(repeating: "x", count: 60_000)
        for _ in 0..<10 { try stand.send(text) }
        stand.client.set(NetworkSetup { $0.requests = [RequestSetup { $0.location = "new" }] })
        try stand.send("last")
        var orders: [String] = []
        while orders.last != "last" {
            switch stand.next() {
            case .message(let message)?: orders.append(String(decoding: message.body.prefix(4), as: UTF8.self))
            case .setup(let setup)?: orders.append(setup.requests.first?.location ?? "")
            default: Issue.record("the connection ended")
            }
        }
        #expect(orders.filter { $0 != "xxxx" } == ["1", "new", "last"])
    }

    @Test("a new setup is followed by the state, even if that has not changed, and never by the former one")
    func stateOfSetup() throws {
        let state = KioskState { $0.pages = ["a"] }
        func setup(_ topic: String) -> NetworkSetup {
            NetworkSetup {
                $0.brokers = [BrokerSetup { $0.kiosk = KioskTopics { $0.start = topic } }]
            }
        }
        stand.client.set(setup("a"))
        stand.client.set(state)
        try stand.accept()
        #expect(stand.next() == .state(state))
        stand.client.set(setup("b"))
        #expect(stand.next() == .setup(setup("b")))
        stand.client.set(state)
        #expect(stand.next() == .state(state))
    }

    @Test("the count of dropped messages never falls: not after a reload, nor when a broker comes back")
    func droppedCounts() throws {
        let setup = NetworkSetup { $0.brokers = [BrokerSetup { ($0.host, $0.port) = ("b", 1883) }] }
        stand.client.set(setup)
        try stand.send("a")
        try stand.client.send(
            OutgoingMessage { $0.http = HTTPMessage { $0.server = "http://h:80" } }, of: "say")
        try stand.accept()
        _ = stand.messages(2)
        for number in 1...2 { try stand.answer(.failed(number, reason: "no")) }
        while stand.failures.count < 2 { stand.step() }
        func counts() -> [String] { stand.client.currentPeers.map { "\($0.name) \($0.dropped)" } }
        #expect(counts() == ["http://h:80 1", "mqtt://b:1883 1"])
        stand.client.set(NetworkSetup { $0.requests = [RequestSetup()] })
        #expect(counts() == ["http://h:80 1"])
        stand.client.set(setup)
        #expect(counts() == ["http://h:80 1", "mqtt://b:1883 1"])
    }

    @Test("the end of a recording also sends what waited for room")
    func patientEnd() async throws {
        try stand.send("1")
        try stand.accept()
        let text = String(repeating: "x", count: 60_000)
        for _ in 0..<20 { try stand.send(text) }
        let connection = try #require(stand.connection)
        // Another thread is the other process: this one waits.
        let reader = Task.detached {
            var count = 0
            while count < 21 {
                switch connection.receive(limit: NetworkOrder.packetLimit, NetworkOrder.init) {
                case .value(.message(let message), _):
                    count += 1
                    try? connection.send(NetworkReport.done([message.number]))
                case .value: break
                case .nothing:
                    var room = pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)
                    poll(&room, 1, -1)
                case .end: return count
                }
            }
            return count
        }
        #expect(stand.client.finish(isPatient: true) == 0)
        #expect(await reader.value == 21)
    }

    @Test("a message that is given up fails under its handler")
    func failure() throws {
        stand.client.set(NetworkSetup { $0.brokers = [BrokerSetup { ($0.host, $0.port) = ("b", 1883) }] })
        try stand.send("a")
        try stand.accept()
        try stand.answer(.failed(1, reason: "the broker ended the connection"))
        while stand.failures.isEmpty { stand.step() }
        #expect(stand.failures == ["say: not sent to mqtt://b:1883: the broker ended the connection"])
        #expect(stand.client.currentPeers.map(\.dropped) == [1])
    }

    @Test(
        "a hijacked process is disconnected, and its messages are sent again to the next",
        arguments: [
            "{}\n", "not JSON", "{\"done\": [2]}\n", "{\"begun\": 0}\n", "{\"failed\": 1}\n", "{\"hello\": 99}\n",
            "{\"datagram\": 0}\n", "{\"command\": \"exec\", \"name\": \"x\"}\n", "{\"command\": \"go\"}\n",
            "{\"command\": \"ignore\", \"seconds\": 1e308}\n", "{\"command\": \"ignore\", \"seconds\": -5}\n",
            "{\"peer\": {\"name\": \"mqtt://b:1883\", \"phase\": \"open\"}}\n", "huge",
        ])
    func hijacked(packet: String) throws {
        let packet = packet == "huge" ? "{\"done\": [" + String(repeating: "1, ", count: 8192) + "1]}\n" : packet
        try stand.send("a")
        try stand.accept()
        _ = stand.messages(1)
        #expect(try stand.isEnded(after: Array(packet.utf8)))
        try stand.accept()
        #expect(stand.messages(1) == ["1 a"])
        #expect(stand.failures == [])
    }

    @Test(
        "a report is read as it was written, however many members it has",
        arguments: [
            NetworkReport.failed(7, reason: "refused"), .command(.named(.go, "start")), .command(.ignore(seconds: 60)),
            .refused(.go, reason: "retained"), .done([1, 2]), .begun(3), .hello(1), .datagram(0),
        ])
    func written(_ report: NetworkReport) throws {
        // Equal dictionaries can have different orders.
        for _ in 0..<100 { #expect(try JSONTree(report.jsonLine).decode(NetworkReport.self) == report) }
    }

    @Test("a flood of reports ends the connection; outcomes of messages do not count")
    func flood() throws {
        try stand.send("a")
        try stand.accept()
        _ = stand.messages(1)
        while stand.events.isEmpty {
            // Until there is no room.
            while (try? stand.connection?.send(NetworkReport.done([]))) != nil {}
            stand.step()
        }
        #expect(stand.events.first == "touchd-network sent more than 1000 reports in a second")
    }

    @Test("of large reports, few are read in one pass of the loop, so that touches come between them")
    func largeReports() throws {
        try stand.send("a")
        try stand.accept()
        let report = NetworkReport.peer(
            PeerState {
                ($0.name, $0.phase) = ("mqtt://b:1883", .waiting)
                $0.error = String(repeating: "x", count: 15_000)
            })
        for _ in 0..<10 { try stand.connection?.send(report) }
        stand.step()
        #expect(stand.events.count == 2)
        while stand.events.count < 10 { stand.step() }
    }

    @Test("a process that accepts no connection, or does not answer, is reported, and touchd connects again")
    func unanswered() throws {
        let stand = try NetworkPeerStand(answerTime: .milliseconds(20))
        try stand.send("a")
        while stand.events.isEmpty { stand.step() }
        #expect(stand.events == ["touchd-network has not answered for 0.02 s; see its journal"])
        for _ in 0..<2 { stand.acceptSilently() }
    }

    @Test("a request whose outcome is not reported in time fails, each in its turn; messages for brokers wait")
    func overdueRequests() throws {
        var outbox = Outbox()
        for (server, retries) in [("a", 0), ("a", 0), ("b", 1), ("", 0)] {
            let message = OutgoingMessage {
                if server.isEmpty {
                    $0.mqtt = MQTTMessage { $0.broker = "c" }
                } else {
                    $0.http = HTTPMessage { ($0.server, $0.timeout, $0.retries) = (server, 2, retries) }
                }
            }
            try outbox.add(message, of: "say")
        }
        outbox.didSend()
        let start = Deadline.now
        func overdue(after seconds: Int) -> (failures: [String], next: Duration?) {
            let (entries, next) = outbox.overdue(at: start + .seconds(seconds), patience: .seconds(5))
            return (entries.map { "\($0.entry.message.peer): \($0.reason)" }, next.map { $0 - start })
        }
        #expect(overdue(after: 0) == ([], .seconds(7)))
        #expect(overdue(after: 6) == ([], .seconds(7)))
        // The second one's time begins.
        #expect(
            overdue(after: 7)
                == (["a: touchd-network has not reported its outcome in time; it may have arrived"], .seconds(10)))
        // Two attempts and the second between them.
        #expect(overdue(after: 10) == (["b: touchd-network did not accept it in time"], .seconds(14)))
        outbox.restartLimits()
        #expect(overdue(after: 14) == ([], .seconds(21)))
        #expect(overdue(after: 21) == (["a: touchd-network did not accept it in time"], nil))
        #expect(outbox.count == 1)
    }

    @Test("texts of the other process have nothing that a terminal executes")
    func printable() throws {
        try stand.send("a")
        try stand.accept()
        _ = stand.messages(1)
        try stand.answer(.problems([SetupProblem { ($0.location, $0.message) = ("k:1\n", "\u{1B}[2Jé") }]))
        try stand.answer(.refused(.go, reason: "a\nPRIORITY=0"))
        try stand.answer(.failed(1, reason: "x\0y\u{202E}z"))
        while stand.failures.isEmpty { stand.step() }
        #expect(
            stand.events.prefix(2) == ["k:1\u{FFFD} \u{FFFD}[2Jé", "go a\u{FFFD}PRIORITY=0"])
        #expect(stand.failures == ["say: not sent to mqtt://b:1883: x\u{FFFD}y\u{FFFD}z"])
    }

    @Test("a socket for datagrams that fails is in the status, and the setup is sent again for another one")
    func renewedDatagrams() throws {
        let address = DatagramAddress { ($0.host, $0.port) = ("10.9.0.1", 3333) }
        stand.client.set(NetworkSetup { $0.datagrams = [address] })
        try stand.accept()
        for round in 1...2 {
            try stand.answer(.datagram(0), descriptor: STDERR_FILENO)
            while stand.events.count(where: { $0 == "datagrams" }) < round { stand.step() }
            #expect(stand.client.currentPeers.map(\.phase) == [.connected])
            stand.client.renewDatagrams(after: SystemError(call: "send", errno: ENETUNREACH))
            #expect(stand.client.currentPeers.map(\.name) == ["udp://10.9.0.1:3333"])
            #expect(stand.client.currentPeers.map(\.error) == ["send: Network is unreachable (ENETUNREACH)"])
            #expect(stand.next() == .setup(NetworkSetup { $0.datagrams = [address] }))
        }
    }

    @Test("nothing is connected for a layout that needs no network")
    func nothing() throws {
        stand.client.set(NetworkSetup())
        stand.step()
        #expect(stand.connection == nil && stand.events == [])
    }

    @Test("an unreachable process is reported once, with the unit to start")
    func unreachable() throws {
        let loop = try EpollRunLoop()
        let client = NetworkClient(loop: loop, endpoint: .socket("/run/touchd.nowhere"))
        client.report = { [stand] in stand.note($0) }
        client.set(NetworkSetup { $0.datagrams = [DatagramAddress()] })
        #expect(
            stand.events == [
                "nothing listens at /run/touchd.nowhere; run: systemctl start touchd-network.socket "
                    + "(touchd-network@SEAT.socket for a seat)"
            ])
    }

    @Test("a layout's setup names each broker and credential once, and keeps the client identifier")
    func setup() throws {
        let text = """
            screen: {size: [1, 1]}
            mqtt: {host: b, topic: kiosk/7, commands: go, discovery: true}
            tuio: {}
            on: {began: [a, b]}
            handlers:
              a: [{publish: {topic: t, mqtt: {host: b}}}, {publish: {topic: t, mqtt: {host: c, port: 8883}}}]
              b: [{http: {url: "https://h/", credential: token}}, {http: {url: "https://i/", credential: token}}]
            """
        let setup = try LayoutDocument(text: text, file: "kiosk.yaml", handlers: []).networkSetup
        #expect(setup.brokers.map(\.name) == ["mqtt://b:1883", "mqtt://c:8883"])
        #expect(
            setup.brokers.first?.kiosk
                == KioskTopics { ($0.start, $0.commands, $0.discovery) = ("kiosk/7", [.go], "homeassistant") })
        #expect(setup.requests.map(\.credential) == ["token"])
        #expect(setup.requests.map(\.location) == ["kiosk.yaml:7:14"])
        #expect(setup.datagrams.map(\.port) == [3333])
        let seats = ["/etc/touchd/touchd.yaml", "/etc/touchd/left.yaml", "/etc/touchd/right.yaml"]
        let starts = try seats.map { path in
            try LayoutDocument(text: "screen: {size: [1, 1]}\nmqtt: {host: b}\n", file: path, handlers: []).mqtt?
                .topicStart
        }
        let host = ProcessInfo.processInfo.hostName
        #expect(starts == ["touchd/\(host)", "touchd/\(host)/left", "touchd/\(host)/right"])
        let other = try LayoutDocument(text: text, file: "seat2.yaml", handlers: []).networkSetup
        let ids = [setup, other].compactMap { $0.brokers.first?.clientID }
        #expect(Set(ids).count == 2)
        #expect(ids.allSatisfy { $0.wholeMatch(of: /touchd[0-9a-f]{17}/) != nil })
    }
}
