import Foundation
import Evdev
import Layout
import TouchKit

/// The facts of an occasion, for templates, journal fields, environment variables and JSON.
///
/// Facts are computed on first use. For an occasion in a private view no form contains a position or a measure, and the
/// only view named is the outermost private one.
package struct OccasionFacts {
    /// Information that the occasion itself does not have.
    package struct Context {
        /// Returns the display name of a device.
        package var deviceName: (DeviceID) -> String
        /// Returns the page that a responder is on; for nil, the page that the first screen shows.
        package var page: (Responder?) -> String?
        /// Returns the screen that a responder is on; nil if there is only one screen.
        package var screen: (Responder?) -> String?
        /// Returns the current time in seconds, on the clock of the devices' frames.
        package var now: () -> TimeInterval

        /// Creates the functions that the facts use.
        package init(
            deviceName: @escaping (DeviceID) -> String, page: @escaping (Responder?) -> String? = { _ in nil },
            screen: @escaping (Responder?) -> String? = { _ in nil }, now: @escaping () -> TimeInterval
        ) {
            self.deviceName = deviceName
            self.page = page
            self.screen = screen
            self.now = now
        }
    }

    /// The occasion that the facts describe.
    package let occasion: Occasion
    /// The handler that is running.
    package let handler: String
    /// The handler's `with:` arguments; templates prefer them to facts of the same name.
    package let arguments: [String: String]
    /// The location of an action that is written directly in an `on:`; nil in a handler.
    let location: SourceLocation?
    private let context: Context

    /// Creates the facts of an occasion for a handler.
    package init(
        _ occasion: Occasion, handler: String, arguments: [String: String] = [:], at location: SourceLocation? = nil,
        context: Context
    ) {
        self.occasion = occasion
        self.handler = handler
        self.arguments = arguments
        self.location = location
        self.context = context
    }

    /// An argument, or the text of a fact; nil if the occasion has neither.
    package subscript(name: String) -> String? {
        arguments[name] ?? Fact(rawValue: name).flatMap { value(of: $0)?.text }
    }

    /// The value of a fact; nil if the occasion does not have it or keeps it private.
    package func value(of fact: Fact) -> FactValue? {
        if fact.isOfPlace, isPrivate { return nil }
        switch fact {
        case .trigger: return .text(occasion.trigger.rawValue)
        case .handler: return .text(handler)
        case .touch: return touch.map { .integer($0.id) }
        case .phase:
            guard case .touch(let touch, _) = occasion.cause else { return nil }
            return .text(touch.phase.name)
        case .view: return view?.reportedName.map { .text($0) }
        case .page:
            if case .page(let name) = occasion.cause { return .text(name) }
            return context.page(view ?? occasion.responder).map { .text($0) }
        case .screen: return context.screen(view ?? occasion.responder).map { .text($0) }
        case .x: return point.map { .measure($0.x) }
        case .y: return point.map { .measure($0.y) }
        case .device:
            if case .device(let name) = occasion.cause { return .text(name.asArgument) }
            return touch.map { .text(context.deviceName($0.device).asArgument) }
        case .time: return .moment(time)
        case .gesture: return (gestureID ?? gestureKind).map { .text($0) }
        case .scale: return (gesture as? PinchGestureRecognizer).map { .exact($0.scale) }
        case .rotation: return (gesture as? RotationGestureRecognizer).map { .exact($0.rotation) }
        case .translationX: return pan.map { .exact($0.translation(in: $0.view).x) }
        case .translationY: return pan.map { .exact($0.translation(in: $0.view).y) }
        case .velocityX: return pan.map { .exact($0.velocity(in: $0.view).x) }
        case .velocityY: return pan.map { .exact($0.velocity(in: $0.view).y) }
        }
    }

    /// Whether the occasion happened in a private view, so that its position is not reported.
    package var isPrivate: Bool {
        if view?.outermostPrivate != nil { return true }
        return gesture?.trackedTouches.contains { $0.view?.outermostPrivate != nil } ?? false
    }

    /// The layout's name for the kind of the gesture, such as `long-press`; nil if the occasion is not a gesture.
    package var gestureKind: String? { gesture?.kindName }

    /// The id of the gesture in the layout; nil without an id, and in a private view, where the id could reveal the
    /// key.
    package var gestureID: String? { view?.outermostPrivate == nil ? gesture?.name : nil }

    private var gesture: GestureRecognizer? {
        if case .gesture(let gesture) = occasion.cause { gesture } else { nil }
    }

    private var pan: PanGestureRecognizer? { gesture as? PanGestureRecognizer }

    private var touch: Touch? {
        switch occasion.cause {
        case .touch(let touch, _): touch
        case .gesture(let gesture): gesture.trackedTouches.first
        // A held button repeats without an event that contains its touch.
        case .control(let control, let event):
            event == nil ? control.trackedTouch : event?.touches(for: control)?.first
        case .page, .idle, .device: nil
        }
    }

    /// The view of the occasion, by the name that reports use; nil without one.
    var occasionView: String? { view?.reportedName }

    private var view: View? {
        switch occasion.cause {
        case .touch(let touch, _): touch.view
        case .gesture(let gesture): gesture.view
        case .control(let control, _): control
        case .page, .idle, .device: nil
        }
    }

    private var point: CGPoint? {
        switch occasion.cause {
        case .touch(let touch, _): touch.location(in: nil)
        case .gesture(let gesture): gesture.trackedTouches.isEmpty ? nil : gesture.location(in: nil)
        case .control: touch?.location(in: nil)
        case .page, .idle, .device: nil
        }
    }

    private var time: TimeInterval {
        switch occasion.cause {
        case .touch(let touch, _): touch.timestamp
        case .control(_, let event): event?.timestamp ?? context.now()
        // A long press is recognized after the last event of its touches.
        case .gesture, .page, .idle, .device: context.now()
        }
    }
}

extension String {
    /// The manufacturer's device name, changed so that no program takes it for an option.
    fileprivate var asArgument: String { hasPrefix("-") ? "_\(dropFirst())" : self }
}

extension GestureRecognizer {
    /// The layout's name for the kind of the gesture; for a program's own recognizer, the name of its type.
    package var kindName: String { GestureName(self)?.rawValue ?? "\(type(of: self))" }
}
