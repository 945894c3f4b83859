nonisolated extension LayoutReader {
    /// A slow machine can be busy for a second without an error; nobody waits for an hour.
    private static let watchdogTimes = Duration.seconds(1)...Duration.seconds(3600)

    /// `watchdog:`, the limits for a handler that does not return.
    mutating func watchdog(_ node: Node) {
        let keys = ["warn-after", "restart-after", "drop-after"]
        guard let values = nodes.mapping(node, "'watchdog'", keys: keys) else { return }
        func time(_ key: String, _ reader: inout LayoutReader) -> Duration? {
            values[key].flatMap { reader.duration($0, "'\(key)'", in: Self.watchdogTimes) }
        }
        if let age = time("drop-after", &self) { document.watchdog.touchAge = age }
        let (warning, restart) = (time("warn-after", &self), time("restart-after", &self))
        document.watchdog.restart = restart
        guard let warning else { return }
        document.watchdog.warning = warning
        guard let restart, let node = values["restart-after"], restart <= warning else { return }
        nodes.note(
            at: node,
            "'restart-after' must be longer than 'warn-after', \(values["warn-after"]?.string ?? "") (got '\(node.string)')"
        )
    }
}
