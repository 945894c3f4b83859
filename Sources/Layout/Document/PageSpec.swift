/// An entry of `pages:`: a view controller. Each screen shows one page.
package nonisolated struct PageSpec: Sendable, Equatable {
    /// The name that `go:` and the logs use.
    package var name = ""
    /// The location of the name.
    package var location = SourceLocation()
    /// The name of its screen; nil for the first.
    package var screen: String?
    /// Steps for events that no view of the page handles, and for the page's appearance and disappearance.
    package var on: [HandlerBinding] = []
    /// The page's views, back to front, in the screen's coordinates.
    package var views: [ViewSpec] = []
    /// `reset-on-leave:`, whether the views are restored, as by `reset:`, after the page has disappeared.
    package var resetsOnLeave = false
}
