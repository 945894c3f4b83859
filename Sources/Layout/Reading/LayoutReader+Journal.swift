nonisolated extension LayoutReader {
    /// The maximum number of logged moves per second and touch; no panel reports more often.
    static let greatestMoveRate = 1000

    /// `journal:`, the touches that are logged to the journal.
    mutating func journal(_ node: Node) {
        guard let values = nodes.mapping(node, "'journal'", keys: ["touches", "moves"]) else { return }
        if let touches = values["touches"].flatMap({ nodes.bool($0, "'touches'") }) {
            document.journal.hasTouches = touches
        }
        guard let moves = values["moves"],
            let rate = nodes.count(moves, "'moves' (of each touch a second)", in: 0...Self.greatestMoveRate)
        else { return }
        document.journal.moves = rate
        if rate > 0, !document.journal.hasTouches {
            nodes.note(.warning, at: moves, "'moves' has no effect, because 'touches: false' excludes all touches")
        }
    }
}
