import ControlProtocol
import EventLoop
import Foundation
import Logging

/// The times and files of the helper; a test sets others.
package struct NetworkSettings {
    /// The delay before the first retry.
    var firstPause = Duration.seconds(1)
    /// How long it waits for a new session after one has ended: touchd restarts in less.
    var linger = Duration.seconds(3)
    /// The maximum time to send what is left.
    var drainTime = Duration.seconds(5)
    /// The maximum time from a connection to a broker's answer (CONNACK).
    var answerTime = Duration.seconds(10)
    /// The folder of the credentials.
    var credentials = ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"]
    /// A file of certificates to trust instead of the system's; for tests only.
    var certificates: String?

    /// The settings of the service.
    package init() {}
}

/// What brokers and servers share.
final class NetworkContext {
    let loop: EpollRunLoop
    let logger: Logger
    let settings: NetworkSettings
    let credentials: NetworkCredentials
    /// Connects to a broker, and loads what it needs for that; a test sets others.
    var connect: BrokerClient.Connect
    var loadBrokerLibrary: () -> String? = { MosquittoClient.load() }
    /// Sends a report to touchd.
    var report: (NetworkReport) -> Void = { _ in }
    /// Called when a message got an outcome, or a broker has closed.
    var didSettle: () -> Void = {}
    /// The last report on each broker and server.
    private(set) var peers: [String: NetworkPeer] = [:]

    init(loop: EpollRunLoop, logger: Logger, settings: NetworkSettings) {
        self.loop = loop
        self.logger = logger
        self.settings = settings
        credentials = NetworkCredentials(directory: settings.credentials)
        connect = MosquittoClient.connect(loop: loop, answerTime: settings.answerTime)
    }

    /// Reports the phase of a broker or server if it has changed.
    ///
    /// - Parameter error: The reason of `waiting`; it stays until the peer is reached.
    func peer(_ name: String, _ phase: NetworkPeer.Phase, error: String? = nil) {
        var peer = NetworkPeer()
        peer.name = name
        peer.phase = phase
        peer.error = phase == .connected ? nil : error ?? peers[name]?.error
        guard peers.updateValue(peer, forKey: name) != peer else { return }
        report(.peer(peer))
    }

    /// Forgets a broker or server.
    func forget(_ name: String) { peers[name] = nil }
}
