import Foundation
import Evdev
import Layout
import TouchKit

/// What is known of an occasion: for templates, journal fields, environment variables and JSON.
///
/// Nothing is computed before it is asked for. Of what happened in a private view no place and no measure is told, in no
/// form, and of its views only the outermost private one.
public struct OccasionFacts {
    /// What a handler cannot ask the occasion itself.
    public struct Surroundings {
        /// Names a device for people.
        public var deviceName: (DeviceID) -> String
        /// Names the page that a responder is on, or with nil the one that the first screen shows.
        public var page: (Responder?) -> String?
        /// Names the screen that a responder is on; nil where there is only one.
        public var screen: (Responder?) -> String?
        /// This moment, in seconds on the clock of the devices' frames.
        public var now: () -> TimeInterval

        /// Makes them.
        public init(
            deviceName: @escaping (DeviceID) -> String, page: @escaping (Responder?) -> String? = { _ in nil },
            screen: @escaping (Responder?) -> String? = { _ in nil }, now: @escaping () -> TimeInterval
        ) {
            self.deviceName = deviceName
            self.page = page
            self.screen = screen
            self.now = now
        }
    }

    /// What happened.
    public let occasion: Occasion
    /// The handler that is running.
    public let handler: String
    /// What `with:` gave the handler; a template finds these before the facts.
    public let arguments: [String: String]
    private let surroundings: Surroundings

    /// Makes the facts of an occasion for a handler.
    public init(
        _ occasion: Occasion, handler: String, arguments: [String: String] = [:], surroundings: Surroundings
    ) {
        self.occasion = occasion
        self.handler = handler
        self.arguments = arguments
        self.surroundings = surroundings
    }

    /// An argument, or a fact in words; nil for what the occasion does not have.
    public subscript(name: String) -> String? {
        arguments[name] ?? Fact(rawValue: name).flatMap { value(of: $0)?.text }
    }

    /// A fact; nil where the occasion has none of this name, or does not tell it.
    public func value(of fact: Fact) -> FactValue? {
        if fact.isOfPlace, isPrivate { return nil }
        switch fact {
        case .trigger: return .text(occasion.trigger.rawValue)
        case .handler: return .text(handler)
        case .touch: return touch.map { .integer($0.id) }
        case .phase:
            guard case .touch(let touch, _) = occasion.cause else { return nil }
            return .text(touch.phase.word)
        case .view: return view?.toldName.map { .text($0) }
        case .page:
            if case .page(let name) = occasion.cause { return .text(name) }
            return surroundings.page(view ?? occasion.responder).map { .text($0) }
        case .screen: return surroundings.screen(view ?? occasion.responder).map { .text($0) }
        case .x: return location.map { .measure($0.x) }
        case .y: return location.map { .measure($0.y) }
        case .device:
            if case .device(let name) = occasion.cause { return .text(name.asArgument) }
            return touch.map { .text(surroundings.deviceName($0.device).asArgument) }
        case .time: return .moment(time)
        case .gesture: return (gestureID ?? gestureKind).map { .text($0) }
        case .scale: return (gesture as? PinchGestureRecognizer).map { .measure($0.scale) }
        case .rotation: return (gesture as? RotationGestureRecognizer).map { .measure($0.rotation) }
        case .translationX: return pan.map { .measure($0.translation(in: $0.view).x) }
        case .translationY: return pan.map { .measure($0.translation(in: $0.view).y) }
        case .velocityX: return pan.map { .measure($0.velocity(in: $0.view).x) }
        case .velocityY: return pan.map { .measure($0.velocity(in: $0.view).y) }
        }
    }

    /// Whether it happened in a private view, so that no place is told.
    public var isPrivate: Bool {
        if view?.outermostPrivate != nil { return true }
        return gesture?.trackedTouches.contains { $0.view?.outermostPrivate != nil } ?? false
    }

    /// What the layout calls the kind of gesture, `long-press`; nil where it was none.
    public var gestureKind: String? { gesture?.kindName }

    /// The gesture's id in the layout; nil where it has none, and on a private view, since it may say which key that is.
    public var gestureID: String? { view?.outermostPrivate == nil ? gesture?.name : nil }

    private var gesture: GestureRecognizer? {
        if case .gesture(let gesture) = occasion.cause { gesture } else { nil }
    }

    private var pan: PanGestureRecognizer? { gesture as? PanGestureRecognizer }

    private var touch: Touch? {
        switch occasion.cause {
        case .touch(let touch, _): touch
        case .gesture(let gesture): gesture.trackedTouches.first
        // A held button repeats when no event has its touch.
        case .control(let control, let event):
            event == nil ? control.trackedTouch : event?.touches(for: control)?.first
        case .page, .idle, .device: nil
        }
    }

    private var view: View? {
        switch occasion.cause {
        case .touch(let touch, _): touch.view
        case .gesture(let gesture): gesture.view
        case .control(let control, _): control
        case .page, .idle, .device: nil
        }
    }

    private var location: CGPoint? {
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
        case .control(_, let event): event?.timestamp ?? surroundings.now()
        // A long press is recognized later than anything its touches did.
        case .gesture, .page, .idle, .device: surroundings.now()
        }
    }
}

extension String {
    /// The name of a device, which its maker chose, such that no program takes it for an option.
    fileprivate var asArgument: String { hasPrefix("-") ? "_\(dropFirst())" : self }
}

extension GestureRecognizer {
    /// What a layout calls the kind of gesture; a program's own recognizer goes by the name of its type.
    public var kindName: String { GestureWord(self)?.rawValue ?? "\(type(of: self))" }
}
