import LabSupport
import Testing

/// Brokers and servers that do not answer, a process with the network that dies, lacks something or is hijacked, and a
/// touchd that ends. `Tests/Lab/network.sh` and `Tests/Lab/faults/network.py` do it.
@Suite("Faults of the network and of its process, in a container", .needsContainer)
struct NetworkFaultTests {
    private static let script = Task {
        // Printed, so that a failure can be repeated.
        let seed = String(UInt32.random(in: 0...UInt32.max))
        print("seed of the moments: \(seed)")
        return try await LabRun(
            "network.sh", in: .container, [LabRun.builtPrograms, LabRun.install(for: "network.sh")], [seed])
    }
    private let run: LabRun

    init() async throws { run = try await Self.script.value }

    /// Each touch that began has ended, each message has arrived or is named, and none that must go once has arrived twice.
    private static let complete = ["all touches ended", "q1 arrived", "post arrived", "socket active"]

    /// Checks the account of messages and prints its figures, which depend on the machine.
    private func expectComplete(_ section: String) throws {
        print("\(section): \(try run.lines("\(section)-figures").joined(separator: "; "))")
        #expect(try run.lines(section) == Self.complete, "\(section)")
    }

    @Test("silent, endless, slow and refusing name servers, servers and brokers delay no touch and no stop")
    func peers() throws {
        let hanging = [
            "http-endless-name", "http-silent", "http-silent-name", "http-slow", "mqtt-endless", "mqtt-endless-name",
            "mqtt-not-authorized", "mqtt-refusing", "mqtt-silent", "mqtt-silent-name", "mqtt-slow",
        ]

        #expect(try run.lines("hanging") == hanging)
        #expect(try run.lines("touches") == ["all touches ended"])
        #expect(try run.lines("stopped") == ["success", "0", "inactive"])
        print("stop: \(try run.lines("stop-figures").joined())")
        // The other process names what is left by handler.
        #expect(
            try run.lines("left")
                == hanging.map { "handler '\($0)': 20 messages were not sent, because touchd has ended" })
    }

    @Test("a failure is logged under its handler, and that of a broker once with its phase")
    func failures() throws {
        #expect(
            try run.lines("failures") == [
                "handler 'http-refusing': not sent to http://127.0.0.1:8085: Couldn't connect to server",
                "handler 'http-refusing-name': not sent to http://refusing.example:8080: Couldn't resolve host name",
                "handler 'http-silent-briefly': not sent to http://127.0.0.1:8086: Timeout was reached",
                "handler 'http-slow-briefly': not sent to http://127.0.0.1:8087: Timeout was reached",
                "handler 'http-slow-name': not sent to http://slow.example:8080: Couldn't resolve host name",
                "handler 'http-unavailable': not sent to http://127.0.0.1:8084: the server answered 503",
            ])
        let brokers = try run.lines("brokers")
        for (port, reason) in [
            (1881, "the broker does not answer"), (1882, "the broker sent "), (1884, "the broker does not answer"),
            (1885, "not authorized; "), (1886, "the broker refused the connection"),
        ] {
            #expect(brokers.contains { $0.hasPrefix("mqtt://127.0.0.1:\(port): \(reason)") }, "\(port)")
        }
    }

    @Test("killed 50 times under touches, the process with the network loses no message unnamed, and sends none twice")
    func killed() throws { try expectComplete("killed") }

    @Test("while the process with the network is stopped, touches continue; then messages arrive in order")
    func stopped() throws {
        #expect(try run.lines("stopped-helper") == ["waiting 120"])
        #expect(try run.lines("order") == ["in order"])
        try expectComplete("continued")
    }

    @Test(
        "the process with the network ends at once, or lacks threads, descriptors or memory, and works again after that",
        arguments: ["ended", "threads", "descriptors", "memory"])
    func starved(_ fault: String) throws {
        #expect(try run.lines("without-\(fault)") == ["socket active"])
        try expectComplete("\(fault)-again")
    }

    @Test("messages of a touchd that is restarted or killed arrive, and its restart does not wait for a hanging broker")
    func deaths() throws {
        #expect(try run.lines("restart") == ["the helper has not ended"])
        print("restart: \(try run.lines("restart-figures").joined())")
        try expectComplete("deaths")
    }

    @Test("touchd loads neither libcurl nor libmosquitto and has no internet socket; the process with the network has")
    func sandboxes() throws {
        #expect(try run.lines("touchd-process") == ["no sockets"])
        #expect(try run.lines("network-process") == ["libcurl", "libmosquitto", "sockets"])
        try expectComplete("used")
    }

    @Test("a hijacked process with the network can give listed commands, and is disconnected for all else")
    func hijacked() throws {
        #expect(
            try run.lines("hijacked")
                == ["unlisted", "commands", "flood", "numbers", "huge", "garbage", "descriptors"].map {
                    "hijacked: \($0) disconnected"
                } + ["hijacked: silent"])
        let (start, end) = ("messages and requests wait: touchd-network sent", "touchd will retry")
        #expect(
            try run.lines("refused") == [
                "\(start) an invalid packet; is it of another version?; \(end)",
                "\(start) an invalid report; is it of another version?; \(end)",
                "\(start) more than 1000 reports in a second; \(end)",
                "mqtt://127.0.0.1:1883: command 'hide' refused: the layout's 'mqtt' does not list it",
                "some commands performed True",
            ])
        try expectComplete("hijacked-again")
    }

    @Test("after a reload with another broker, the first one has 'offline' and no discovery, the second 'online'")
    func reloaded() throws {
        #expect(try run.lines("reloaded") == ["first offline, forgotten", "second online"])
    }

    @Test("two seats are online at one broker, and none takes the other's session")
    func seats() throws {
        #expect(
            try run.lines("seats") == [
                "left ['online']", "right ['online']", "touchd-network@left active", "touchd-network@right active",
                "taken over 0",
            ])
    }

    @Test("after Ctrl-C in a terminal, the child sends what is left")
    func byHand() throws {
        #expect(try run.lines("by-hand") == ["exit status 0", "its child sends the rest"])
    }

    @Test(
        "a recording at full speed waits for its messages, at most 5 s for an unreachable broker, and counts the rest")
    func replayed() throws {
        #expect(try run.lines("replayed") == ["exit status 0", "arrived 120"])
        #expect(
            try run.lines("replayed-in-vain") == [
                "exit status 0",
                "touchd network: handler 'q1': 120 messages were not sent, because touchd has ended",
                "touchd: warning: 120 requests and messages of handlers were not sent",
            ])
        print("replay: \(try run.lines("replay-figures").joined())")
        print("rows: \(try run.lines("durations").joined(separator: ", "))")
        #expect(try run.lines("failed") == [])
    }
}
