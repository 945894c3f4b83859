import ControlProtocol
import EventLoop
import Testing

@testable import Handlers
@testable import Service
@testable import TestSupport

/// What the service logs of the reports of the process with the network.
@Suite("Reports of the network") final class NetworkHostTests {
    private let log = LogRecorder()
    private let client: NetworkClient
    private let host: NetworkHost

    init() throws {
        let loop = try EpollRunLoop()
        client = NetworkClient(loop: loop, endpoint: .socket("/nowhere"))
        host = NetworkHost(
            client, loop: loop, logger: log.logger, state: { KioskState() }, perform: { _ in nil },
            takeDatagrams: { _ in })
    }

    @Test("problems without end and a broker's ever new errors are logged up to a limit")
    func floods() {
        for report in 0..<100 {
            let problems = (0..<400).map { number in
                SetupProblem { ($0.location, $0.message) = ("l", "\(report) \(number)") }
            }
            client.report(.problems(problems))
            client.report(
                .peer(
                    PeerState { ($0.name, $0.phase, $0.error) = ("mqtt://b:1883", .waiting, "\(report)") },
                    former: nil))
        }
        #expect(log.lines.count == NetworkHost.problemLimit)
        #expect(log.lines.first == "warning: l: warning: 0 0")
    }
}
