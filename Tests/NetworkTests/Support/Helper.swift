import CLinux
import ControlProtocol
import EventLoop
import Foundation
import Testing

@testable import Network
@testable import TestSupport

/// A `NetworkServer` that listens at a temporary path, with touchd's end of its connections on the same loop.
final class Helper {
    let loop: EpollRunLoop
    let folder: TemporaryFolder
    let log = LogRecorder()
    private(set) var didEnd = false
    let server: NetworkServer
    private let listener: Int32

    /// Starts it, with delays that tests can wait for, and with times that never pass.
    init(_ change: (inout SenderSettings) -> Void = { _ in }) throws {
        let (loop, folder) = (try EpollRunLoop(), try TemporaryFolder())
        (self.loop, self.folder) = (loop, folder)
        let listener = socket(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue) | O_CLOEXEC, 0)
        self.listener = listener
        let address = try #require(LocalAddress(folder.url.appending(path: "network").path))
        try #require(address.withSockaddr { bind(listener, $0, $1) } == 0 && listen(listener, 16) == 0)
        var settings = SenderSettings()
        settings.firstPause = .milliseconds(10)
        settings.linger = .seconds(3600)
        settings.memory = .zero
        settings.drainTime = .seconds(3600)
        settings.answerTime = .seconds(3600)
        settings.credentials = folder.url.path
        change(&settings)
        server = NetworkServer(
            descriptor: listener, isListening: true, loop: loop, logger: log.logger, settings: settings)
        server.didEnd = { [unowned self] in didEnd = true }
    }

    deinit { close(listener) }

    /// Runs until something is so.
    func run(until isSo: () -> Bool) { while !isSo() { step() } }

    /// Handles one event, or waits for a moment.
    func step() { _ = loop.run(until: .after(.milliseconds(20)), returnAfterSourceHandled: true) }

    /// Connects, and says `hello`.
    func connect(_ session: String = "a", isProbe: Bool = false, version: Int? = nil) throws -> TouchdEnd {
        let end = try TouchdEnd(self)
        end.send(
            .hello(
                NetworkHello {
                    ($0.session, $0.isProbe, $0.version) = (session, isProbe, version ?? $0.version)
                }))
        return end
    }

    /// Starts a script of this folder; returns it with the port that it prints.
    func start(_ script: String, _ arguments: [String] = []) throws -> (Server, port: Int) {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: script).path
        let server = try Server(["/usr/bin/env", "python3", file] + arguments)
        return (server, try #require(server.line().flatMap { Int($0) }))
    }
}

/// touchd's end of a connection.
final class TouchdEnd {
    private(set) var reports: [NetworkReport] = []
    /// The descriptors that came with reports.
    private(set) var descriptors: [PassedDescriptor] = []
    private(set) var isClosed = false
    private let helper: Helper
    private let socket: PacketSocket
    private var source: DescriptorSource?
    private var number = 0

    init(_ helper: Helper) throws {
        self.helper = helper
        socket = try Self.socket(helper)
        isReading = true
        watch()
    }

    private static func socket(_ helper: Helper) throws -> PacketSocket {
        while true {
            do {
                return try PacketSocket(path: helper.folder.url.appending(path: "network").path, takesDescriptors: true)
            } catch {
                // Too many connections wait.
                guard error.errno == EAGAIN else { throw error }
                helper.step()
            }
        }
    }

    /// Whether it reads reports.
    var isReading: Bool {
        didSet { watch() }
    }

    private func watch() {
        source?.invalidate()
        guard isReading else { return }
        let source = DescriptorSource(name: "touchd", descriptor: socket.descriptor) { [weak self] _ in self?.receive()
        }
        self.source = source
        #expect(throws: Never.self) { try helper.loop.add(source) }
    }

    isolated deinit {
        source?.invalidate()
    }

    /// Closes the connection.
    func close() {
        source?.invalidate()
        source = nil
        shutdown(socket.descriptor, Int32(SHUT_RDWR))
    }

    private func receive() {
        while true {
            switch socket.receive(NetworkReport.self, takesDescriptor: true) {
            case .value(let report, let descriptor):
                reports.append(report)
                if let descriptor { descriptors.append(descriptor) }
            case .nothing: return
            case .end:
                isClosed = true
                source?.invalidate()
                return
            }
        }
    }

    func send(_ order: NetworkOrder) { send(bytes: order.packet) }

    /// Sends a packet when there is room.
    func send(bytes: [UInt8]) {
        while !isClosed {
            do { return try socket.send(bytes) } catch  where error.errno == EAGAIN { helper.step() } catch { return }
        }
    }

    func send(_ setup: (inout NetworkSetup) -> Void) { send(.setup(NetworkSetup(setup))) }

    /// Sends a setup with one broker.
    func setBroker(_ port: Int, host: String = "127.0.0.1", kiosk: KioskTopics? = nil) {
        send {
            $0.brokers = [
                BrokerSetup {
                    ($0.host, $0.port, $0.clientID, $0.kiosk) = (host, port, "kiosk", kiosk)
                    $0.location = "kiosk.yaml:1:1"
                }
            ]
        }
    }

    /// Sends a message for a broker, and returns its number.
    @discardableResult
    func publish(
        _ text: String, to port: Int, host: String = "127.0.0.1", topic: String = "t", qos: Int = 1,
        retain: Bool = false
    ) -> Int {
        send {
            $0.mqtt = MQTTMessage {
                ($0.broker, $0.topic, $0.qos, $0.retain) = (BrokerSetup.name(host, port), topic, qos, retain)
            }
            $0.body = Array(text.utf8)
        }
    }

    /// Sends a request, and returns its number.
    @discardableResult
    func post(_ url: String, retries: Int = 3, timeout: Double = 600, change: (inout HTTPMessage) -> Void = { _ in })
        -> Int
    {
        var http = HTTPMessage()
        let parts = URLComponents(string: url)
        http.server = "\(parts?.scheme ?? "")://\(parts?.host ?? ""):\(parts?.port ?? 80)"
        (http.url, http.retries, http.timeout) = (url, retries, timeout)
        change(&http)
        return send { ($0.http, $0.body) = (http, Array("hello".utf8)) }
    }

    /// Sends a message with the next number, and returns that.
    @discardableResult
    func send(number: Int? = nil, _ change: (inout OutgoingMessage) -> Void) -> Int {
        self.number = number ?? self.number + 1
        send(
            .message(
                OutgoingMessage {
                    ($0.number, $0.handler) = (self.number, "tell")
                    change(&$0)
                }))
        return self.number
    }

    /// The messages that arrived, in the order of the reports.
    var done: [Int] { reports.flatMap { if case .done(let numbers) = $0 { numbers } else { [Int]() } } }
    var begun: [Int] { reports.compactMap { if case .begun(let number) = $0 { number } else { nil } } }
    /// The messages that are given up, with the reasons.
    var failures: [Int: String] {
        reports.reduce(into: [:]) { if case .failed(let number, let reason) = $1 { $0[number] = reason } }
    }
    /// `PHASE ERROR` of all reports on brokers and servers.
    var peers: [String] {
        reports.compactMap { if case .peer(let peer) = $0 { "\(peer.phase) \(peer.error ?? "-")" } else { nil } }
    }
    var problems: [[SetupProblem]] {
        reports.compactMap { if case .problems(let problems) = $0 { problems } else { nil } }
    }

    /// Waits until each of a number of messages has an outcome.
    func waitForOutcomes(_ count: Int) { helper.run { done.count + failures.count >= count || isClosed } }

    /// Waits until the connection is closed.
    func waitForClose() { helper.run { isClosed } }
}

/// A request that server.py got.
nonisolated struct SentRequest: Decodable {
    let path: String
    let body: String
    let headers: [String: String]
}

extension Server {
    /// The next request that server.py got.
    func request() throws -> SentRequest {
        try JSONDecoder().decode(SentRequest.self, from: Data(try #require(line()).utf8))
    }
}
