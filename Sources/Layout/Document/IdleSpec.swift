import Foundation

/// An entry of `idle:`.
package nonisolated struct IdleSpec: Sendable, Equatable {
    /// The time without a touch on any screen, in seconds.
    package var delay: TimeInterval = 0
    /// Steps for the triggers `idle` (the time has passed) and `woken` (the first touch afterwards).
    package var on: [HandlerBinding] = []
    /// `forward:`, whether the program that draws receives touches while the screens are idle; with false, the touch that
    /// ends the idle time does not reach it either.
    package var forwards = true
}
