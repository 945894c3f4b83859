import Evdev
import Foundation

/// The content of a layout file, checked, with the location of each entry. It contains no views yet; `Scene` creates
/// them.
///
/// Coordinates are in points of the screen; a view's frame is in its superview's coordinates, as in UIKit.
package nonisolated struct LayoutDocument: Sendable, Equatable {
    /// The screens of the layout, at least one; the first is the default for devices.
    package var screens: [ScreenSpec] = []
    /// The rules for input devices; if several rules match a device, later rules override earlier ones.
    package var devices: [DeviceRule] = []
    /// Steps at the end of the responder chain, for events that no view and no page handles.
    package var on: [HandlerBinding] = []
    /// The views on every page, in front of it; back to front.
    package var views: [ViewSpec] = []
    /// The pages. Each screen shows one of its pages, initially the first.
    package var pages: [PageSpec] = []
    /// The handlers in the file, in order.
    package var handlers: [HandlerSpec] = []
    /// Steps that run when the screens are not touched, the shortest time first.
    package var idle: [IdleSpec] = []
    /// The warnings: entries that can be used but are probably not intended.
    package var warnings: [LayoutFinding] = []
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
    /// `accommodations:`, which contacts count as touches; nil, the default, for all.
    package var accommodations: AccommodationSpec?
    /// `accessibility:`, the talking mode.
    package var accessibility = AccessibilitySpec()
    /// When a handler that does not return is logged, touchd restarted, and touches dropped.
    package var watchdog = WatchdogSpec()
    /// `strict: true`, whether touchd does not start with the last good layout when the files have an error.
    package var isStrict = false
}

/// The layout's own `forward:`.
package nonisolated struct ForwardSpec: Sendable, Equatable {
    /// `default:`, whether touches outside views with `forward` go through.
    package var isDefault = true
    /// `cooldown:`, the time in seconds after a lift within which no touch begins in the program that draws; 0 for none.
    package var cooldown: TimeInterval = 0
    /// `lift-cancelled:`, whether a touch that would be cancelled in the program that draws is lifted there.
    package var liftsCancelled = false
}

/// `journal:`, the touches that are logged to the journal. Log actions and errors are always logged.
package nonisolated struct JournalSpec: Sendable, Equatable {
    /// `touches:`, whether touches are logged at all.
    package var hasTouches = true
    /// `moves:`, the number of logged moves per second and touch; 0 for none.
    package var moves = 0
}

/// The `on:` of a device rule.
package nonisolated struct DeviceHandlers: Sendable, Equatable {
    /// The label of the rule.
    package var rule: String
    /// Steps for the triggers `absent`, `silent` and `back`.
    package var on: [HandlerBinding]
}

// MARK: - Traversal

/// A view and its position in a layout.
package nonisolated struct ViewVisit {
    /// The view.
    package var view: ViewSpec
    /// Its number among all views, in the order of the traversal.
    package var number: Int
    /// The index of its page; nil for a view on every page.
    package var page: Int?
    /// The number of its ancestors.
    package var depth: Int
}

nonisolated extension LayoutDocument {
    /// Calls a closure with each view: first the views of every page, then page by page; superviews before their
    /// subviews, back to front.
    package func forEachView(_ body: (ViewVisit) -> Void) {
        var number = 0
        // Views are nested at most `LayoutLimit.viewDepth` deep.
        func walk(_ views: [ViewSpec], page: Int?, depth: Int) {
            for index in views.indices {
                body(ViewVisit(view: views[index], number: number, page: page, depth: depth))
                number += 1
                let subviews = views[index].views
                if !subviews.isEmpty { walk(subviews, page: page, depth: depth + 1) }
            }
        }
        walk(views, page: nil, depth: 0)
        for (index, page) in pages.enumerated() { walk(page.views, page: index, depth: 0) }
    }

    /// The index of the screen with a name; nil means the first. Returns nil if there is no such screen.
    package func number(ofScreen name: String?) -> Int? {
        name == nil ? screens.indices.first : screens.firstIndex { $0.name == name }
    }

    /// The number of views, subviews included.
    package var viewCount: Int {
        var count = 0
        forEachView { _ in count += 1 }
        return count
    }

    /// Calls a closure with each list of steps that run for the same event.
    package func forEachTrigger(_ body: ([HandlerStep]) -> Void) {
        func each(_ bindings: [HandlerBinding]) {
            var rest = bindings
            while let trigger = rest.first?.trigger {
                body(rest.filter { $0.trigger == trigger }.map(\.step))
                rest = rest.filter { $0.trigger != trigger }
            }
        }
        each(on)
        forEachView { visit in
            each(visit.view.on)
            for step in visit.view.slot?.handlers ?? [] { body([step]) }
            for gesture in visit.view.gestures { each(gesture.on) }
        }
        for page in pages { each(page.on) }
        for idle in idle { each(idle.on) }
        for device in deviceHandlers { each(device.on) }
    }

    // MARK: Actions

    /// Every action in the layout, with its location.
    package var actions: [(action: HandlerAction, location: SourceLocation)] {
        var actions: [(HandlerAction, SourceLocation)] = []
        func add(_ steps: [HandlerStep]) {
            for case let step in steps {
                if case .action(let action) = step.kind { actions.append((action, step.location)) }
            }
        }
        forEachTrigger(add)
        for handler in handlers { add(handler.allSteps) }
        return actions
    }

    /// The absolute paths of the programs that handlers start, each with its first location.
    package var programs: [(path: String, location: SourceLocation)] {
        var paths: Set<String> = []
        return actions.compactMap { action, location in
            guard case .exec(let spec) = action, let path = spec.arguments.first?.filled(by: { _ in nil }),
                paths.insert(path).inserted
            else { return nil }
            return (path, location)
        }
    }
}
