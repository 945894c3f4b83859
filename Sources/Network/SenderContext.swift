import ControlProtocol
import EventLoop
import Foundation
import Logging

/// The settings, credentials and reports that brokers and servers share.
final class SenderContext {
    let loop: EpollRunLoop
    let logger: Logger
    let settings: SenderSettings
    let credentials: ServiceCredentials
    /// Connects to a broker, and loads what it needs for that; a test sets others.
    var connect: BrokerClient.Connect
    var loadBrokerLibrary: () -> String? = { MosquittoClient.load() }
    var report: (NetworkReport) -> Void = { _ in }
    /// Called when a message got an outcome, or a broker has closed.
    var didSettle: () -> Void = {}
    /// The last report on each broker and server.
    private(set) var peers: [String: PeerState] = [:]

    init(loop: EpollRunLoop, logger: Logger, settings: SenderSettings) {
        self.loop = loop
        self.logger = logger
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

/// The secrets that systemd gives the service (systemd.exec(5), LoadCredential=), read for each setup.
final class ServiceCredentials {
    /// A bound on the size of a credential, longer than any token or password of a protocol that touchd uses.
    private static let limit = 64 * 1024

    private let directory: String?
    private var known: [String: String] = [:]

    /// Creates a reader of a directory; without one, no credential is found.
    init(directory: String?) { self.directory = directory }

    /// The content of a credential without its final newline; nil if it was missing when it was read last.
    subscript(name: String) -> String? { known[name] }

    /// Reads a credential again and returns why it cannot be used; nil on success.
    func load(_ name: String) -> String? {
        known[name] = nil
        guard !name.isEmpty, !name.contains("/"), name != ".", name != ".." else {
            return "invalid credential name '\(name)'"
        }
        guard let directory else {
            return "credential '\(name)' is missing, because touchd does not run as a service"
        }
        // systemd puts the prefix before the names of a folder's files (LoadCredential=touchd:/etc/touchd/credentials).
        guard
            let file = ["touchd_\(name)", name].lazy.compactMap({ FileHandle(forReadingAtPath: "\(directory)/\($0)") })
                .first,
            let data = try? file.read(upToCount: Self.limit + 1)
        else {
            return "credential '\(name)' is missing; put the secret into /etc/touchd/credentials/\(name), "
                + "then run: systemctl restart touchd-network"
        }
        guard data.count <= Self.limit, let text = String(data: data, encoding: .utf8) else {
            return "credential '\(name)' must be text of at most \(Self.limit) bytes"
        }
        let secret = text.trimmingCharacters(in: .newlines)
        // A line break in the credential would start another header.
        guard !secret.isEmpty, !secret.unicodeScalars.contains(where: \.isControl) else {
            return "credential '\(name)' must be one line of text"
        }
        known[name] = secret
        return nil
    }
}
