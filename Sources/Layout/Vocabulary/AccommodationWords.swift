nonisolated extension AccommodationSpec: Section {
    static let table = Table(
        "accommodations", AccommodationSpec(),
        "Help for people whose hands tremble, or are slow or weak; also for the program that draws.")
    /// EN 301 549, 5.7 and 5.8, asks for 0.5 s and for 2 s.
    private static let times = Duration.milliseconds(50)...Duration.seconds(5)

    mutating func words(_ r: inout LayoutReader) {
        r.word(
            "enabled", &isEnabled, "Whether it helps from the start; the action 'accommodate' turns it on and off."
        ) { $0.flag() }
        r.word("hold", &settings.hold, "The time that a finger must be down before its touch begins.", unset: "0") {
            $0.seconds(Self.times)
        }
        r.word(
            "ignore-repeat", &settings.ignoreRepeat, "The time after a lift in which no touch of the panel begins.",
            unset: "0"
        ) { $0.seconds(Self.times) }
        r.word(
            "steady", &settings.steady,
            "The distance from its landing within which a finger does not move; it lifts where it landed.", unset: "0"
        ) { $0.number(1...500, "points") }
        let helps = ["hold", "ignore-repeat", "steady"]
        if let node = r.at.node, r.isReading, helps.allSatisfy({ r.given($0) == nil }) {
            r.note(at: node, "'accommodations' has no effect; add ignore-repeat: 500ms, steady: 40 or hold: 300ms")
        }
    }
}
