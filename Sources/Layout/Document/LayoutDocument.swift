import Evdev
import Foundation

/// A layout as its file says it: checked, with the place of everything in it, and nothing built yet.
///
/// Coordinates are in points of the screen; a view's frame is in its superview's coordinates, as in UIKit.
public nonisolated struct LayoutDocument: Sendable, Equatable {
    /// The screens that the layout is for, at least one; the first is that of every device not given another.
    public var screens: [ScreenSpec]
    /// What is done with which input devices; of several rules for one device the later ones win.
    public var devices: [DeviceRule]
    /// Handlers at the end of the responder chain: for what no view and no page handles.
    public var on: [HandlerBinding]
    /// The views that are there on every page, in front of it; back to front.
    public var views: [ViewSpec]
    /// The pages, of which each screen shows one at a time, at first its first one.
    public var pages: [PageSpec]
    /// The handlers that the file defines, in its order.
    public var handlers: [HandlerSpec]
    /// What runs when nobody touches the screen, the shortest time first.
    public var idle: [IdleSpec]
    /// What can hardly be meant, though the file can be used.
    public var warnings: [LayoutFinding]
    /// What runs when a device is absent, silent or back.
    public var deviceHandlers: [DeviceHandlers] = []
    /// Which touches are written to the journal.
    public var journal = JournalSpec()
    /// What is kept of the last minutes; nil, as where a layout says nothing, for nothing.
    public var recording: RecordingSpec?
}

/// `journal:`, which touches are written to the journal; what handlers log and what goes wrong always is.
public nonisolated struct JournalSpec: Sendable, Equatable {
    /// `touches:`, whether there are entries for touches at all.
    public var hasTouches = true
    /// `moves:`, how many moves of each touch a second have an entry; 0 for none.
    public var moves = 0

    /// Makes what holds where a layout says nothing.
    public init() {}
}

/// `recording:`, what is kept of the touchscreens' last minutes, in case somebody asks for a recording of them.
public nonisolated struct RecordingSpec: Sendable, Equatable {
    /// `keep:`, how far back a recording goes at most.
    public var span: Duration

    /// Makes one.
    public init(span: Duration) { self.span = span }
}

/// The `on:` of a device rule.
public nonisolated struct DeviceHandlers: Sendable, Equatable {
    /// The label of the rule.
    public var rule: String
    /// Handlers with the triggers `absent`, `silent` and `back`.
    public var on: [HandlerBinding]
}

/// One of a layout's screens.
public nonisolated struct ScreenSpec: Sendable, Equatable {
    /// The name by which pages and devices know the screen; nil for the one screen of `screen:`.
    public var name: String?
    /// Width and height in points. Devices are mapped to it whole, whatever their resolution.
    public var size: CGSize
}

/// One entry of `pages:`: a view controller of which one a screen is shown at a time.
public nonisolated struct PageSpec: Sendable, Equatable {
    /// The name that `go:` and the logs use.
    public var name: String
    /// Where the name stands.
    public var location: SourceLocation
    /// The name of the screen it is shown on; nil for the first.
    public var screen: String?
    /// Handlers for what no view of the page handles, and for its appearing and disappearing.
    public var on: [HandlerBinding]
    /// The page's views, back to front, in the screen's coordinates.
    public var views: [ViewSpec]
}

/// One entry of `idle:`.
public nonisolated struct IdleSpec: Sendable, Equatable {
    /// How long nobody has to touch any screen, in seconds.
    public var delay: TimeInterval
    /// Handlers with the triggers `idle` (the time is over) and `woken` (the first touch after it).
    public var on: [HandlerBinding]
}
