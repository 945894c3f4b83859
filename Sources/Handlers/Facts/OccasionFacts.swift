import Foundation
import Evdev
import Layout
import TouchKit

/// The facts of an occasion, for templates, journal fields, environment variables and JSON.
///
/// Facts are computed on first use. For an occasion in a private view no form contains a position or a measure, and the
/// only view named is the outermost private one.
package struct OccasionFacts {
    /// The occasion that the facts describe.
    package let occasion: Occasion
    /// The handler that is running.
    package let handler: String
    /// The handler's `with:` arguments; templates prefer them to facts of the same name.
    package let arguments: [String: String]
    /// The location of an action that is written directly in an `on:`; nil in a handler.
    let location: SourceLocation?
    private let scene: Scene?
    private let deviceName: (DeviceID) -> String
    private let now: () -> TimeInterval

    /// Creates the facts of an occasion for a handler.
    ///
    /// - Parameters:
    ///   - scene: Tells the page and the screen; nil without a layout.
    ///   - deviceName: Returns the display name of a device.
    ///   - now: Returns the current time in seconds, on the clock of the devices' frames.
    package init(
        _ occasion: Occasion, handler: String, arguments: [String: String] = [:], at location: SourceLocation? = nil,
        scene: Scene? = nil, deviceName: @escaping (DeviceID) -> String, now: @escaping () -> TimeInterval
    ) {
        self.occasion = occasion
        self.handler = handler
        self.arguments = arguments
        self.location = location
        self.scene = scene
        self.deviceName = deviceName
        self.now = now
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
            let place = view ?? occasion.responder
            return (place == nil ? scene?.currentPage() : scene?.page(of: place)).map { .text($0) }
        case .screen: return scene?.screenName(of: view ?? occasion.responder).map { .text($0) }
        case .x: return point.map { .measure($0.x) }
        case .y: return point.map { .measure($0.y) }
        case .device:
            if case .device(let name) = occasion.cause { return .text(name.asArgument) }
            return touch.map { .text(deviceName($0.device).asArgument) }
        case .time: return .moment(time)
        case .gesture: return gesture.map { .text($0.reportedID ?? $0.kindName) }
        case .scale: return (gesture as? PinchGestureRecognizer).map { .exact($0.scale) }
        case .rotation: return (gesture as? RotationGestureRecognizer).map { .exact($0.rotation) }
        case .translationX: return pan.map { .exact($0.translation(in: $0.view).x) }
        case .translationY: return pan.map { .exact($0.translation(in: $0.view).y) }
        case .velocityX: return pan.map { .exact($0.velocity(in: $0.view).x) }
        case .velocityY: return pan.map { .exact($0.velocity(in: $0.view).y) }
        }
    }

    /// Whether the occasion happened in a private view, so that its position is not reported.
    package var isPrivate: Bool { Sight(view).isConcealed || gesture?.isConcealed == true }

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
        case .control(_, let event): event?.timestamp ?? now()
        // A long press is recognized after the last event of its touches.
        case .gesture, .page, .idle, .device: now()
        }
    }
}

extension String {
    /// The manufacturer's device name, changed so that no program takes it for an option.
    fileprivate var asArgument: String { hasPrefix("-") ? "_\(dropFirst())" : self }
}
