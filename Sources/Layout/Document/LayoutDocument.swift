import Evdev
import Foundation

/// The content of a layout file, checked, with the location of each entry. It contains no views yet; `Scene` creates
/// them.
///
/// Coordinates are in points of the screen; a view's frame is in its superview's coordinates, as in UIKit.
package nonisolated struct LayoutDocument: Sendable, Equatable {
    /// The screens of the layout, at least one; the first is the default for devices.
    package var screens: [ScreenSpec]
    /// The rules for input devices; if several rules match a device, later rules override earlier ones.
    package var devices: [DeviceRule]
    /// Steps at the end of the responder chain, for events that no view and no page handles.
    package var on: [HandlerBinding]
    /// The views on every page, in front of it; back to front.
    package var views: [ViewSpec]
    /// The pages. Each screen shows one of its pages, initially the first.
    package var pages: [PageSpec]
    /// The handlers in the file, in order.
    package var handlers: [HandlerSpec]
    /// Steps that run when the screens are not touched, the shortest time first.
    package var idle: [IdleSpec]
    /// The warnings: entries that can be used but are probably not intended.
    package var warnings: [LayoutFinding]
    /// Steps that run when a device is absent, silent or back.
    package var deviceHandlers: [DeviceHandlers] = []
    /// The touches that are logged to the journal.
    package var journal = JournalSpec()
    /// `recording:`, how much of the touchscreens' last minutes is kept, so that a recording can be requested afterwards;
    /// nil, the default, keeps nothing.
    package var recording: Duration?
    /// The touches that are forwarded to the program that draws, of panels whose rule has `forward`.
    package var forward = ForwardSpec()
    /// Where touches are sent as TUIO; nil, the default, sends none.
    package var tuio: TUIOSpec?
    /// `mqtt:`, the broker that receives touchd's state and may send commands; nil, the default, for none.
    package var mqtt: MQTTSpec?
    /// `reload: on-change`, whether touchd reloads the layout when one of its files changes.
    package var reloadsOnChange = false
    /// `version:`, the author's name for this state of the layout; nil without one.
    package var version: String?
    /// The first 12 digits of the SHA-256 digest of the layout's files, one after the other; empty if it was not read from
    /// files.
    package var fileHash = ""
    /// When a handler that does not return is logged, touchd restarted, and touches dropped.
    package var watchdog = WatchdogSpec()
    /// `strict: true`, whether touchd does not start with the last good layout when the files have an error.
    package var isStrict = false
}

/// `watchdog:`, the limits for a handler that does not return.
package nonisolated struct WatchdogSpec: Sendable, Equatable {
    /// `warn-after:`, the time after which the handler is logged. Android reports an application as not responding after
    /// this time.
    package var warning = Duration.seconds(5)
    /// `restart-after:`, the time after which systemd restarts the service; nil for `WatchdogSec=` of the unit.
    package var restart: Duration?
    /// `drop-after:`, the time after which a touch that has not begun yet is dropped.
    package var touchAge = Duration.seconds(2)

    /// Makes the defaults.
    package init() {}
}

/// The layout's own `forward:`.
package nonisolated struct ForwardSpec: Sendable, Equatable {
    /// `default:`, whether touches outside views with `forward` go through.
    package var isDefault = true
    /// `cooldown:`, the time in seconds after a lift within which no touch begins in the program that draws; 0 for none.
    package var cooldown: TimeInterval = 0
    /// `lift-cancelled:`, whether a touch that would be cancelled in the program that draws is lifted there.
    package var liftsCancelled = false

    /// Makes the defaults.
    package init() {}
}

/// `journal:`, the touches that are logged to the journal. Log actions and errors are always logged.
package nonisolated struct JournalSpec: Sendable, Equatable {
    /// `touches:`, whether touches are logged at all.
    package var hasTouches = true
    /// `moves:`, the number of logged moves per second and touch; 0 for none.
    package var moves = 0

    /// Makes the defaults.
    package init() {}
}

/// The `on:` of a device rule.
package nonisolated struct DeviceHandlers: Sendable, Equatable {
    /// The label of the rule.
    package var rule: String
    /// Steps for the triggers `absent`, `silent` and `back`.
    package var on: [HandlerBinding]
}

/// A screen of the layout.
package nonisolated struct ScreenSpec: Sendable, Equatable {
    /// The screen's name for pages and devices; nil for the only screen, from `screen:`.
    package var name: String?
    /// Width and height in points. A device covers the whole screen, whatever its resolution.
    package var size: CGSize
}

/// An entry of `pages:`: a view controller. Each screen shows one page.
package nonisolated struct PageSpec: Sendable, Equatable {
    /// The name that `go:` and the logs use.
    package var name: String
    /// The location of the name.
    package var location: SourceLocation
    /// The name of its screen; nil for the first.
    package var screen: String?
    /// Steps for events that no view of the page handles, and for the page's appearance and disappearance.
    package var on: [HandlerBinding]
    /// The page's views, back to front, in the screen's coordinates.
    package var views: [ViewSpec]
    /// `reset-on-leave:`, whether the views are restored, as by `reset:`, after the page has disappeared.
    package var resetsOnLeave = false
}

/// An entry of `idle:`.
package nonisolated struct IdleSpec: Sendable, Equatable {
    /// The time without a touch on any screen, in seconds.
    package var delay: TimeInterval
    /// Steps for the triggers `idle` (the time has passed) and `woken` (the first touch afterwards).
    package var on: [HandlerBinding]
    /// `forward:`, whether the program that draws receives touches while the screens are idle; with false, the touch that
    /// ends the idle time does not reach it either.
    package var forwards = true
}

/// `tuio:`, where touches are sent as TUIO 1.1 over UDP.
package nonisolated struct TUIOSpec: Sendable, Equatable {
    /// An IPv4 or IPv6 address.
    package var host = "127.0.0.1"
    /// The UDP port.
    package var port = 3333

    /// Makes a specification.
    package init(host: String = "127.0.0.1", port: Int = 3333) {
        self.host = host
        self.port = port
    }
}
