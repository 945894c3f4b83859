nonisolated extension IdleSpec: Section {
    static let table = Table("idle", IdleSpec(), "Handlers that run when no screen is touched for a time.")

    mutating func words(_ r: inout LayoutReader) {
        r.word("after", &delay, "The time without a touch on any screen.") {
            $0.seconds(.seconds(1) ... .seconds(604_800))
        }
        r.require("add after: TIME", of: "the entry of 'idle'")
        r.word("on", &on, "The same handlers as 'run' and 'wake', under 'idle' and 'woken'.") { $0.on(.idle) }
        let run = r.word("run", "Handlers that run when the time has passed.") { $0.steps() }
        on += run?.map { HandlerBinding(trigger: .idle, step: $0) } ?? []
        let wake = r.word("wake", "Handlers that run at the first touch afterwards.") { $0.steps() }
        on += wake?.map { HandlerBinding(trigger: .woken, step: $0) } ?? []
        if let node = r.at.node, r.given("after") != nil, r.at.given.count == 1 {
            r.note(.warning, at: node, "this entry has no effect; add run: HANDLER")
        }
        r.word(
            "forward", &forwards, "Whether the program that draws gets touches in the meantime.",
            called: "'forward' of 'idle'"
        ) { $0.forwardFlag() }
    }
}
