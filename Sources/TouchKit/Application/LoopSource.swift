/// What wakes the run loop when an event was queued.
struct LoopSource {
    let signal: () -> Void
}
