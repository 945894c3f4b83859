import ControlProtocol
import Evdev
import EventLoop
import Foundation
import Layout
import Logging
import TouchKit

/// The facts of a context, for templates, journal fields, environment variables and JSON.
///
/// Facts are computed on first use. For a context in a private view no form contains a position or a measure, and the
/// only view named is the outermost private one.
package struct HandlerFacts {
    package let context: HandlerContext
    package let handler: String
    /// The handler's `with:` arguments; templates prefer them to facts of the same name.
    package let arguments: [String: String]
    /// The location of an action that is written directly in an `on:`; nil in a handler.
    let location: SourceLocation?
    private let scene: Scene?
    private let deviceName: (DeviceID) -> String
    private let now: () -> TimeInterval

    /// Creates the facts of a context for a handler.
    ///
    /// - Parameter now: Returns the current time in seconds, on the clock of the devices' frames.
    package init(
        _ context: HandlerContext, handler: String, arguments: [String: String] = [:],
        at location: SourceLocation? = nil,
        scene: Scene? = nil, deviceName: @escaping (DeviceID) -> String, now: @escaping () -> TimeInterval
    ) {
        self.context = context
        self.handler = handler
        self.arguments = arguments
        self.location = location
        self.scene = scene
        self.deviceName = deviceName
        self.now = now
    }

    /// An argument, or the text of a fact; nil if the context has neither.
    package subscript(name: String) -> String? {
        arguments[name] ?? Fact(rawValue: name).flatMap { value(of: $0)?.text }
    }

    /// The value of a fact; nil if the context does not have it or keeps it private.
    package func value(of fact: Fact) -> FactValue? {
        if fact.isOfPlace, isPrivate { return nil }
        switch fact {
        case .trigger: return .text(context.trigger.rawValue)
        case .handler: return .text(handler)
        case .touch: return touch.map { .integer($0.id) }
        case .phase:
            guard case .touch(let touch, _) = context.cause else { return nil }
            return .text(touch.phase.name)
        case .view: return reported.name.map { .text($0) }
        case .page:
            if case .page(let name) = context.cause { return .text(name) }
            let place = view ?? context.responder
            return (place == nil ? scene?.currentPage() : scene?.page(of: place)).map { .text($0) }
        case .screen: return scene?.screenName(of: view ?? context.responder).map { .text($0) }
        case .x: return point.map { .measure($0.x) }
        case .y: return point.map { .measure($0.y) }
        case .device:
            if case .device(let name) = context.cause { return .text(name.asArgument) }
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

    /// Whether the context happened at a private place, so that its position is not reported.
    package var isPrivate: Bool { reported.isConcealed }

    /// What is reported of the context's view.
    var reported: ReportedView {
        switch context.cause {
        case .touch(let touch, _): ReportedView(touch)
        case .gesture(let gesture): ReportedView(gesture)
        case .control(let control, _): ReportedView(control, touch)
        case .page, .idle, .device: ReportedView(nil)
        }
    }

    private var gesture: GestureRecognizer? {
        if case .gesture(let gesture) = context.cause { gesture } else { nil }
    }

    private var pan: PanGestureRecognizer? { gesture as? PanGestureRecognizer }

    private var touch: Touch? {
        switch context.cause {
        case .touch(let touch, _): touch
        case .gesture(let gesture): gesture.trackedTouches.first
        case .control(let control, let event):
            // A held button repeats without an event that contains its touch.
            control.actingTouch ?? control.trackedTouch
                ?? event?.touches(for: control)?.min { $0.id < $1.id }
        case .page, .idle, .device: nil
        }
    }

    private var view: View? {
        switch context.cause {
        case .touch(let touch, _): touch.view
        case .gesture(let gesture): gesture.view
        case .control(let control, _): control
        case .page, .idle, .device: nil
        }
    }

    private var point: CGPoint? {
        guard let gesture else { return touch?.location(in: nil) }
        return gesture.trackedTouches.isEmpty ? nil : gesture.location(in: nil)
    }

    private var time: TimeInterval {
        switch context.cause {
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

/// The forms in which the facts of a context leave touchd.
extension HandlerFacts {
    /// The facts that have a value, in the order of `Fact`, under the names of the journal's fields.
    package var fields: [(name: String, value: String)] {
        Fact.allCases.compactMap { fact in value(of: fact).map { (fact.fieldName, $0.text) } }
    }

    package var metadata: Logger.Metadata {
        Dictionary(uniqueKeysWithValues: fields.map { ($0.name, .string($0.value)) })
    }

    /// The fields as environment variables, `TOUCHD_VIEW=start`, and the arguments except for a private context,
    /// `TOUCHD_WITH_DIGIT=5`.
    package var environment: [String] {
        let given = isPrivate ? [] : arguments.sorted { $0.key < $1.key }
        return fields.map { "\($0.name)=\($0.value)" }
            + given.map { "\(Fact.variable(ofArgument: $0.key))=\($0.value)" }
    }

    /// The facts as one JSON object on one line. The arguments are under `with`, except for a private context.
    package var json: String {
        let json = JSONWriter.object { object in
            for fact in Fact.allCases {
                guard let value = value(of: fact) else { continue }
                object.name(fact.rawValue)
                value.write(to: &object)
            }
            guard !arguments.isEmpty, !isPrivate else { return }
            object.member("with", arguments)
        }
        return String(decoding: json, as: UTF8.self)
    }

    /// Fills a template with the unmodified facts.
    package func fill(_ template: Template) -> String { template.filled { self[$0] } }

    /// Fills a template for one log line: control characters in facts become spaces, so a fact cannot start a new line.
    package func line(_ template: Template) -> String { template.filled { self[$0]?.onOneLine } }

    /// Fills a template for a URL: each fact is one component, percent-encoded (RFC 3986).
    package func url(_ template: Template) -> String {
        template.filled { self[$0]?.addingPercentEncoding(withAllowedCharacters: .unreserved) }
    }

    /// Fills a template for an MQTT topic: each fact is one level, without wildcards (MQTT 3.1.1, 4.7).
    package func topic(_ template: Template) -> String {
        template.filled { name in
            // The scalars, because a mark that combines with a "/" makes another Character of it.
            self[name].map { text in
                var level = ""
                for scalar in text.onOneLine.unicodeScalars {
                    level.unicodeScalars.append("/+#".unicodeScalars.contains(scalar) ? "_" : scalar)
                }
                return level
            }
        }
    }

    package var sentence: String {
        let place = "on \(self["view"]?.onOneLine ?? "no view")"
        let trigger = context.trigger.rawValue
        return switch context.cause {
        case .touch: "touch \(self["touch"] ?? "") \(self["phase"] ?? "") \(place)"
        case .gesture: "gesture \(self["gesture"]?.onOneLine ?? "") \(trigger) \(place)"
        case .control: "\(self["view"]?.onOneLine ?? "a control") \(trigger)"
        case .page(let name): "page \(name.onOneLine) \(trigger)"
        case .idle: context.trigger == .woken ? "the screen is touched again" : "the screen is not touched"
        case .device(let name): "device \(name.onOneLine) is \(trigger)"
        }
    }
}

extension CharacterSet {
    fileprivate static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}

nonisolated extension String {
    /// The text with a space in place of each control character.
    var onOneLine: String {
        guard unicodeScalars.contains(where: \.isControl) else { return self }
        var line = ""
        for scalar in unicodeScalars { line.unicodeScalars.append(scalar.isControl ? " " : scalar) }
        return line
    }
}
