import Layout
import Logging

/// Preparation of a layout's handlers.
extension HandlerRunner {
    /// Prepares a layout's actions: loads libraries, reads credentials, and returns the problems found.
    ///
    /// Call this before the layout replaces the current one, which continues undisturbed. Errors mean that the layout
    /// must be refused. With warnings the layout can be used, and the affected actions fail.
    ///
    /// - Parameter foreignFiles: `.error` if a program that others could change must not be started.
    package func prepare(
        for document: LayoutDocument, foreignFiles: LayoutFinding.Severity? = nil
    ) -> [LayoutFinding] {
        actions.programs.isStrict = foreignFiles == .error
        let broker = document.mqtt.flatMap { problem(ofBroker: $0.host, $0.port, of: "'mqtt'", at: $0.location) }
        return (broker.map { [$0] } ?? [])
            + document.actions.compactMap { action, location in
                switch action {
                case .exec(let spec):
                    spec.user.flatMap { actions.programs.problem(ofUser: $0) }.map {
                        LayoutFinding(.error, at: location, "'exec': \($0)")
                    }
                case .http(let spec):
                    (actions.http.prepare() ?? spec.credential.flatMap { actions.credentials.load($0) }).map {
                        LayoutFinding(.warning, at: location, "'http' will fail: \($0)")
                    }
                case .publish(let spec): problem(of: spec.destination, at: location)
                default: nil
                }
            }
    }

    /// Loads a prepared layout: its handlers replace those of the previous layout.
    package func load(_ document: LayoutDocument) {
        define(document.handlers)
        var keys: Set<String> = []
        for case (.emit(let names), _) in document.actions { keys.formUnion(names) }
        // Recreated only for other keys, because programs that read the keyboard see it unplugged.
        guard keys != actions.keyboard?.keys ?? [] else { return }
        actions.keyboard = nil
        actions.keyboardProblem = nil
        guard !keys.isEmpty else { return }
        do throws(HandlerFailure) {
            actions.keyboard = try VirtualKeyboard(keys: keys)
        } catch {
            actions.keyboardProblem = if case .notEmitted(let reason) = error { reason } else { "\(error)" }
            logger.warning("'emit' will fail: \(actions.keyboardProblem ?? "")")
        }
    }

    /// Called before touchd exits: ends programs with a timeout, which could not be enforced afterwards. Other programs
    /// continue, unless systemd ends them with the service.
    package func close() {
        touchBreak.finish()
        let unsent = actions.http.close() + actions.mqtt.close()
        actions.programs.close()
        if unsent > 0 { logger.warning("\(unsent) requests and messages of handlers were not sent") }
        actions.keyboard = nil
    }

    private func problem(of destination: PublishSpec.Destination, at location: SourceLocation) -> LayoutFinding? {
        guard case .mqtt(let host, let port, _, _) = destination else { return nil }
        return problem(ofBroker: host, port, of: "'publish'", at: location)
    }

    private func problem(
        ofBroker host: String, _ port: Int, of key: String, at location: SourceLocation
    ) -> LayoutFinding? {
        if let reason = MosquittoClient.load() {
            return LayoutFinding(.warning, at: location, "\(key) will fail: \(reason)")
        }
        // A broker may require either, both or neither.
        let names = MQTTPublisher.credentialNames(host: host)
        let isKnown = actions.credentials.load(names.username) == nil
        _ = actions.credentials.load(names.password)
        guard isKnown, port != MQTTPublisher.securePort, !HTTPSender.isThisMachine(host) else {
            return nil
        }
        return LayoutFinding(
            .warning, at: location,
            "\(key) sends the password for \(host) unencrypted; port \(MQTTPublisher.securePort) is for TLS")
    }
}

extension HandlerRunner {
    /// Receives the output of programs line by line; not retained. Without it they write to standard error.
    package var programLog: (any ProgramLog)? {
        get { actions.programs.log }
        set { actions.programs.log = newValue }
    }

    /// Makes the connection of a layout's `mqtt:` to its broker, with the credentials of its host.
    package func makeBrokerLink(_ settings: BrokerLink.Settings) -> BrokerLink {
        BrokerLink(settings, loop: actions.loop, credentials: actions.credentials)
    }
}
