/// When a repeating button triggers `pressed` again, in seconds.
package nonisolated struct RepeatSpec: Sendable, Equatable {
    /// The time until the first repetition.
    var delay = 0.5
    /// The time between further repetitions.
    var interval = 0.1
}
