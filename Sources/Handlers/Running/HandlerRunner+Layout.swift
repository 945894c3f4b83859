import Layout
import Logging

/// Preparation of a layout's handlers.
extension HandlerRunner {
    /// Prepares a layout's actions, and returns the problems found.
    ///
    /// Call this before the layout replaces the current one, which continues undisturbed. Errors mean that the layout
    /// must be refused. With warnings the layout can be used, and the affected actions fail.
    ///
    /// - Parameter foreignFiles: `.error` if a program that others could change must not be started.
    package func prepare(
        for document: LayoutDocument, foreignFiles: LayoutFinding.Severity? = nil
    ) -> [LayoutFinding] {
        actions.programs.isStrict = foreignFiles == .error
        return document.actions.compactMap { action, location in
            guard case .exec(let spec) = action, let user = spec.user else { return nil }
            return actions.programs.problem(ofUser: user).map { LayoutFinding(.error, at: location, "'exec': \($0)") }
        }
    }

    /// Loads a prepared layout: its handlers replace those of the previous layout.
    package func load(_ document: LayoutDocument) {
        define(document.handlers)
        if !isRehearsal { actions.network.set(document.networkSetup) }
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
    ///
    /// - Parameter waitsForNetwork: Whether to wait, for at most 5 s, until messages and requests have arrived; otherwise
    ///   another process sends them.
    package func close(waitsForNetwork: Bool = false) {
        touchBreak.finish()
        let unsent = actions.network.finish(isPatient: waitsForNetwork)
        actions.programs.close()
        if unsent > 0 { logger.warning("\(unsent) requests and messages of handlers were not sent") }
        actions.keyboard = nil
    }
}

extension HandlerRunner {
    /// Receives the output of programs line by line; not retained. Without it they write to standard error.
    package var programLog: (any ProgramLog)? {
        get { actions.programs.log }
        set { actions.programs.log = newValue }
    }

    /// The connection to the process that sends messages and requests.
    package var network: NetworkLink { actions.network }
}
