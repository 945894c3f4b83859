import Layout
import Logging

/// What a layout needs before its handlers can run.
extension HandlerRunner {
    /// Gets ready for a layout's actions: loads libraries, reads credentials; and answers what stands in their way.
    ///
    /// To be called before the layout replaces another, which goes on undisturbed. Errors are what refuses the layout; with
    /// a warning it can be used, and the actions that are meant fail.
    ///
    /// - Parameter foreignFiles: `.error` if a program that others could change must not be started.
    public func prepare(
        for document: LayoutDocument, foreignFiles: LayoutFinding.Severity? = nil
    ) -> [LayoutFinding] {
        actions.programs.isStrict = foreignFiles == .error
        return document.actions.compactMap { action, location in
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

    /// Takes on a layout that was prepared for: its handlers replace those of the layout before.
    public func load(_ document: LayoutDocument) {
        define(document.handlers)
        var keys: Set<String> = []
        for case (.emit(let names), _) in document.actions { keys.formUnion(names) }
        // Made anew only for other keys: programs that read the keyboard see it unplugged then.
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

    /// Ends what is under way, as touchd is about to end. Programs with a timeout are ended, as nobody would enforce it any
    /// more; others go on, unless systemd ends them with the service.
    public func close() {
        touchBreak.finish()
        let unsent = actions.http.close() + actions.mqtt.close()
        actions.programs.close()
        if unsent > 0 { logger.warning("\(unsent) requests and messages of handlers were not sent") }
        actions.keyboard = nil
    }

    private func problem(of destination: PublishSpec.Destination, at location: SourceLocation) -> LayoutFinding? {
        guard case .mqtt(let host, let port, _, _) = destination else { return nil }
        if let reason = MosquittoClient.load() {
            return LayoutFinding(.warning, at: location, "'publish' will fail: \(reason)")
        }
        // A broker may ask for neither.
        let names = MQTTPublisher.credentialNames(host: host)
        let isKnown = actions.credentials.load(names.username) == nil
        _ = actions.credentials.load(names.password)
        guard isKnown, port != MQTTPublisher.securePort, !["localhost", "127.0.0.1", "::1"].contains(host) else {
            return nil
        }
        return LayoutFinding(
            .warning, at: location,
            "'publish' sends the password for \(host) unencrypted; port \(MQTTPublisher.securePort) is for TLS")
    }
}

/// What the service plugs into its handlers.
extension HandlerRunner {
    /// Where `publish` sends what is for no broker; not kept alive.
    public var publisher: (any Publisher)? {
        get { actions.publisher }
        set { actions.publisher = newValue }
    }

    /// Takes what programs write, line by line; not kept alive. Without it they write to standard error.
    public var programLog: (any ProgramLog)? {
        get { actions.programs.log }
        set { actions.programs.log = newValue }
    }

    /// Reads the layout again, for `reload`; is called in the middle of a delivery, so it had better do that later.
    public var reload: (() -> Void)? {
        get { actions.reload }
        set { actions.reload = newValue }
    }
}
