import ControlProtocol
import EventLoop
import Foundation
import Testing

@testable import Handlers
@testable import TestSupport

/// The memory of the real `touchd network`.
@MainActor @Suite struct NetworkMemoryTests {
    @Test("a broker that announces a packet of 256 MiB is disconnected before it has sent it")
    func announcedPacket() throws {
        let script = TouchdProgram.root.appending(path: "Tests/NetworkTests/Support/hostile-broker.py").path
        let broker = try Server(["/usr/bin/env", "python3", script, "announce"])
        let port = try #require(broker.line().flatMap { Int($0) })
        let (socket, process) = try NetworkEndpoint.child(TouchdProgram.path).connect()
        defer { process.map { _ = kill($0, SIGKILL) } }
        try socket.send(NetworkOrder.hello(NetworkHello { $0.session = "a" }).packet)
        let setup = NetworkSetup {
            $0.brokers = [BrokerSetup { ($0.host, $0.port, $0.clientID) = ("127.0.0.1", port, "kiosk") }]
        }
        try socket.send(NetworkOrder.setup(setup).packet)
        #expect(broker.line() == "closed")
        var error: String?
        while error == nil {
            var entry = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
            poll(&entry, 1, -1)
            switch socket.receive(NetworkReport.self) {
            case .value(.peer(let peer), _): error = peer.error
            case .value, .nothing: break
            case .end: error = "the helper has ended"
            }
        }
        #expect(error == "the broker sends a packet that does not fit into memory; check that it is an MQTT broker")
    }
}
