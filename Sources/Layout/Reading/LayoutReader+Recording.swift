nonisolated extension LayoutReader {
    /// A second is enough for a touch; the memory for a busy screen holds less than an hour.
    static let keptTimes = Duration.seconds(1)...Duration.seconds(3600)

    /// `recording:`, whether the last minutes are kept for a recording.
    mutating func recording(_ node: Node) {
        guard let values = nodes.mapping(node, "'recording'", keys: ["keep"]) else { return }
        guard let keep = values["keep"] else {
            if values.hasUnknownKeys { return }
            return nodes.note(at: node, "'recording' has no 'keep'; add the length, such as keep: 5 min")
        }
        document.recording = duration(keep, "'keep'", in: Self.keptTimes)
    }

    /// `reload: on-change`.
    mutating func reload(_ node: Node) {
        document.reloadsOnChange = nodes.keyword(node, "'reload'", of: ["on-change", "on-request"]) == "on-change"
    }
}
