nonisolated extension WatchdogSpec: Section {
    static let table = Table("watchdog", WatchdogSpec(), "Limits for a handler that does not return.")
    /// A slow machine can be busy for a second without an error; nobody waits for an hour.
    private static let times = Duration.seconds(1)...Duration.seconds(3600)

    mutating func words(_ r: inout LayoutReader) {
        let logged = r.word("warn-after", &warning, "The time after which the handler is logged with its name.") {
            $0.time(Self.times)
        }
        let restarted = r.word(
            "restart-after", &restart, "The time after which systemd restarts touchd, at the latest.",
            unset: "WatchdogSec= of the unit, 10 s"
        ) { $0.time(Self.times) }
        r.word("drop-after", &touchAge, "The age at which a touch that has waited for a handler is dropped.") {
            $0.time(Self.times)
        }
        guard let logged, let restarted, restarted <= logged, let node = r.given("restart-after") else { return }
        let limit = r.given("warn-after")?.string ?? ""
        r.note(at: node, "'restart-after' must be longer than 'warn-after', \(limit) (got '\(node.string)')")
    }
}
