import ControlProtocol
import EventLoop

/// The settings, credentials and reports that brokers and servers share.
final class SenderContext {
    let loop: EpollRunLoop
    let settings: SenderSettings
    let credentials: ServiceCredentials
    let deliveries = DeliveryQueue()
    /// Connects to a broker, and loads what it needs for that; a test sets others.
    var connect: BrokerClient.Connect
    var loadBrokerLibrary: () -> String? = { MosquittoClient.load() }
    var report: (NetworkReport) -> Void = { _ in }
    /// Called when a message got an outcome, or a broker has closed.
    var didSettle: () -> Void = {}
    /// The last report on each broker and server.
    private(set) var peers: [String: PeerState] = [:]

    init(loop: EpollRunLoop, settings: SenderSettings) {
        self.loop = loop
        self.settings = settings
        credentials = ServiceCredentials(directory: settings.credentials)
        connect = MosquittoClient.connect(loop: loop, answerTime: settings.answerTime)
    }

    /// Reports the phase of a broker or server if it has changed.
    ///
    /// - Parameter error: The reason of `waiting`; it stays until the peer is reached.
    func peer(_ name: String, _ phase: PeerState.Phase, error: String? = nil) {
        let reason = phase == .connected ? nil : error ?? peers[name]?.error
        let peer = PeerState { ($0.name, $0.phase, $0.error) = (name, phase, reason) }
        guard peers.updateValue(peer, forKey: name) != peer else { return }
        report(.peer(peer))
    }

    func forget(_ name: String) { peers[name] = nil }
}
