/// A finger of a self-test that was hit-tested in the running layout: an event for the client that rehearses.
package struct RehearsalRecord: Codable, Equatable, Sendable {
    private var event = "rehearsal"
    /// `began`, `ended` or `cancelled`.
    package var phase: String
    /// The view that the finger hit when it came down, as `touchd hit` names it.
    package var view: String
    /// The location in points of the screen.
    package var x, y: Double
    /// The time from the kernel's timestamp to the hit test, in seconds.
    package var delay: Double

    /// Creates a record.
    package init(phase: String, view: String, x: Double, y: Double, delay: Double) {
        (self.phase, self.view, self.x, self.y, self.delay) = (phase, view, x, y, delay)
    }
}
