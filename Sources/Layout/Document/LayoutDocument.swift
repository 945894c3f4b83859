import Evdev
import Foundation

/// The content of a layout file, checked, with the location of each entry. It contains no views yet; `Scene` creates
/// them.
///
/// Coordinates are in points of the screen; a view's frame is in its superview's coordinates, as in UIKit.
public nonisolated struct LayoutDocument: Sendable, Equatable {
    /// The screens of the layout, at least one; the first is the default for devices.
    public var screens: [ScreenSpec]
    /// The rules for input devices; if several rules match a device, later rules override earlier ones.
    public var devices: [DeviceRule]
    /// Steps at the end of the responder chain, for events that no view and no page handles.
    public var on: [HandlerBinding]
    /// The views on every page, in front of it; back to front.
    public var views: [ViewSpec]
    /// The pages. Each screen shows one of its pages, initially the first.
    public var pages: [PageSpec]
    /// The handlers in the file, in order.
    public var handlers: [HandlerSpec]
    /// Steps that run when the screens are not touched, the shortest time first.
    public var idle: [IdleSpec]
    /// The warnings: entries that can be used but are probably not intended.
    public var warnings: [LayoutFinding]
    /// Steps that run when a device is absent, silent or back.
    public var deviceHandlers: [DeviceHandlers] = []
    /// The touches that are logged to the journal.
    public var journal = JournalSpec()
    /// How much of the last minutes is kept for a recording; nil, the default, keeps nothing.
    public var recording: RecordingSpec?
    /// The touches that are forwarded to the program that draws, of panels whose rule has `forward`.
    public var forward = ForwardSpec()
    /// Where touches are sent as TUIO; nil, the default, sends none.
    public var tuio: TUIOSpec?
    /// `mqtt:`, the broker that receives touchd's state and may send commands; nil, the default, for none.
    public var mqtt: MQTTSpec?
    /// `reload: on-change`, whether touchd reloads the layout when one of its files changes.
    public var reloadsOnChange = false
    /// `strict: true`, whether touchd does not start with the last good layout when the files have an error.
    public var isStrict = false
}

/// The layout's own `forward:`.
public nonisolated struct ForwardSpec: Sendable, Equatable {
    /// `default:`, whether touches outside views with `forward` go through.
    public var isDefault = true
    /// `cooldown:`, the time in seconds after a lift within which no touch begins in the program that draws; 0 for none.
    public var cooldown: TimeInterval = 0

    /// Makes the defaults.
    public init() {}
}

/// `journal:`, the touches that are logged to the journal. Log actions and errors are always logged.
public nonisolated struct JournalSpec: Sendable, Equatable {
    /// `touches:`, whether touches are logged at all.
    public var hasTouches = true
    /// `moves:`, the number of logged moves per second and touch; 0 for none.
    public var moves = 0

    /// Makes the defaults.
    public init() {}
}

/// `recording:`, how much of the touchscreens' last minutes is kept, so that a recording can be requested afterwards.
public nonisolated struct RecordingSpec: Sendable, Equatable {
    /// `keep:`, the maximum length of a recording.
    public var span: Duration

    /// Makes a specification with a maximum length.
    public init(span: Duration) { self.span = span }
}

/// The `on:` of a device rule.
public nonisolated struct DeviceHandlers: Sendable, Equatable {
    /// The label of the rule.
    public var rule: String
    /// Steps for the triggers `absent`, `silent` and `back`.
    public var on: [HandlerBinding]
}

/// A screen of the layout.
public nonisolated struct ScreenSpec: Sendable, Equatable {
    /// The screen's name for pages and devices; nil for the only screen, from `screen:`.
    public var name: String?
    /// Width and height in points. A device covers the whole screen, whatever its resolution.
    public var size: CGSize
}

/// An entry of `pages:`: a view controller. Each screen shows one page.
public nonisolated struct PageSpec: Sendable, Equatable {
    /// The name that `go:` and the logs use.
    public var name: String
    /// The location of the name.
    public var location: SourceLocation
    /// The name of its screen; nil for the first.
    public var screen: String?
    /// Steps for events that no view of the page handles, and for the page's appearance and disappearance.
    public var on: [HandlerBinding]
    /// The page's views, back to front, in the screen's coordinates.
    public var views: [ViewSpec]
    /// `reset-on-leave:`, whether the views are restored, as by `reset:`, after the page has disappeared.
    public var resetsOnLeave = false
}

/// An entry of `idle:`.
public nonisolated struct IdleSpec: Sendable, Equatable {
    /// The time without a touch on any screen, in seconds.
    public var delay: TimeInterval
    /// Steps for the triggers `idle` (the time has passed) and `woken` (the first touch afterwards).
    public var on: [HandlerBinding]
    /// `forward:`, whether the program that draws receives touches while the screens are idle; with false, the touch that
    /// ends the idle time does not reach it either.
    public var forwards = true
}

/// `tuio:`, where touches are sent as TUIO 1.1 over UDP.
public nonisolated struct TUIOSpec: Sendable, Equatable {
    /// An IPv4 or IPv6 address.
    public var host: String
    /// The UDP port.
    public var port: Int

    /// Makes a specification.
    public init(host: String, port: Int) {
        self.host = host
        self.port = port
    }
}
