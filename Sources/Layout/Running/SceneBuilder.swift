import ControlProtocol
import Foundation
import TouchKit

/// Creates the views, controls and recognizers of a scene from a layout.
struct SceneBuilder {
    private let actions: SceneActions
    private(set) var slots: [Slot] = []
    /// The private views, each before those in it.
    private(set) var privateViews: [View] = []
    private let companions = GestureCompanions()
    private var recognizers: [String: GestureRecognizer] = [:]
    /// References that are resolved after all views exist.
    private var redirects: [(view: View, target: String)] = []
    private var relations: [(recognizer: GestureRecognizer, spec: GestureSpec)] = []
    /// Whether a recognizer finds views by their ids.
    private(set) var findsViews = false

    init(_ actions: SceneActions) { self.actions = actions }

    /// Makes a view with its subviews.
    mutating func view(for spec: ViewSpec) -> View {
        let view = makeView(for: spec), subviews = spec.views.map { self.view(for: $0) }
        if let slot = spec.slot {
            slots.append(Slot(slot, view, spec.views, subviews))
        } else {
            for subview in subviews { view.addSubview(subview) }
        }
        return view
    }

    /// Makes a view without its subviews.
    mutating func makeView(for spec: ViewSpec) -> View {
        let view = bareView(for: spec)
        view.accessibilityIdentifier = spec.id
        if spec.label != nil || spec.control != nil && !spec.views.isEmpty { view.setLabel(spec, in: actions.language) }
        // Each of these setters decides again whether the view can be hit.
        if spec.isHidden { view.isHidden = true }
        if !spec.isEnabled { view.isUserInteractionEnabled = false }
        if spec.alpha < 1 { view.alpha = spec.alpha }
        view.isMultipleTouchEnabled = spec.isMultipleTouchEnabled
        view.isExclusiveTouch = spec.isExclusiveTouch
        view.isPrivate = spec.isPrivate
        if spec.isPrivate { privateViews.append(view) }
        view.forwardsTouches = spec.forwards
        if spec.cooldown > 0, let button = view as? LayoutButton {
            button.cooldown = PressCooldown(spec.cooldown) { [actions] in actions.observer?.pressDropped() }
        }
        if !spec.transform.isIdentity { view.transform = spec.transform }
        if let target = spec.redirect { redirects.append((view, target)) }
        bind(spec.on, to: view)
        for gesture in spec.gestures { add(gesture, to: view) }
        return view
    }

    private func bareView(for spec: ViewSpec) -> View {
        switch spec.control {
        case .button: return LayoutButton(spec, actions)
        case .toggle(let isOn): return ToggleButton(spec, actions, isOn: isOn)
        case .repeating(let times): return RepeatButton(spec, actions, times)
        case nil: return LayoutView(spec)
        }
    }

    // MARK: Handlers

    /// Attaches steps to a responder; returns the tokens of those for touches.
    @discardableResult
    func bind(_ bindings: [HandlerBinding], to responder: Responder) -> [HandlerToken] {
        var tokens: [HandlerToken] = []
        for (number, binding) in bindings.enumerated() {
            let trigger = binding.trigger
            if let phase = trigger.phase {
                guard !bindings[..<number].contains(where: { $0.trigger == trigger }) else { continue }
                // One closure for all steps: after a step that cancels the touch, TouchKit runs no other closure for it.
                let steps = bindings.filter { $0.trigger == trigger }.map(\.step)
                // Unowned: the responder owns the closure and runs it itself.
                let token = responder.addHandler(for: phase, names: steps.map(\.name)) {
                    [actions, unowned responder] touch, event in
                    let context = HandlerContext(trigger, .touch(touch, event), at: responder)
                    for step in steps { actions.perform(step, context) }
                }
                tokens.append(token)
            } else if let control = responder as? Control, let events = trigger.events(of: control) {
                control.addHandler(for: events, name: binding.step.name) { [actions] control, event in
                    actions.perform(binding.step, HandlerContext(trigger, .control(control, event), at: control))
                }
            }
        }
        return tokens
    }

    // MARK: Gestures

    private mutating func add(_ spec: GestureSpec, to view: View) {
        let recognizer = spec.kind.recognizer
        recognizer.name = spec.id ?? spec.kind.name.rawValue
        recognizer.cancelsTouchesInView = spec.cancelsTouchesInView
        recognizer.cancelsForwardedTouches = spec.cancelsForwardedTouches
        recognizer.delaysForwardedTouches = spec.delaysForwardedTouches
        let isDiscrete = spec.kind.name.isDiscrete
        recognizer.addHandler { [actions] recognizer in
            guard let observer = actions.observer,
                let trigger = GestureRecord.Trigger(recognizer.state, isDiscrete: isDiscrete)
            else { return }
            observer.gestureRecognized(recognizer, trigger)
        }
        for binding in spec.on {
            guard let state = binding.trigger.state(of: spec.kind) else { continue }
            recognizer.addHandler(name: binding.step.name, in: [state]) { [actions] recognizer in
                actions.perform(
                    binding.step, HandlerContext(binding.trigger, .gesture(recognizer), at: recognizer.view))
            }
        }
        view.addGestureRecognizer(recognizer)
        if let id = spec.id { recognizers[id] = recognizer }
        if !spec.requiresFailureOf.isEmpty || !spec.simultaneousWith.isEmpty { relations.append((recognizer, spec)) }
        if case .sequence(let views, _) = spec.kind, let sequence = recognizer as? SequenceGestureRecognizer {
            // At each tap, because the views can be moved or replaced.
            sequence.findPlaces = { [actions, unowned sequence] in
                views.map { id in
                    guard let view = actions.findView(id), let host = sequence.view else { return .null }
                    return view.convert(view.bounds, to: host)
                }
            }
            findsViews = true
        }
    }

    // MARK: What refers to other parts

    /// Resolves the references between views and recognizers.
    ///
    /// - Parameter roots: The root views that contain everything.
    mutating func finish(_ roots: [View]) {
        var views: [String: View] = [:]
        if !redirects.isEmpty {
            views = Dictionary(View.identified(in: roots), uniquingKeysWith: { $1 })
            for slot in slots { views.merge(slot.views) { $1 } }
        }
        resolveReferences(among: views)
    }

    /// Resolves the redirects, and the relations of recognizers.
    mutating func resolveReferences(among views: [String: View]) {
        var targets = Dictionary(
            redirects.map { (ObjectIdentifier($0.view), $0.target) }, uniquingKeysWith: { first, _ in first })
        for (view, id) in redirects {
            // A redirect to a view with a redirect leads to the last target.
            let target = Self.lastTarget(of: id, among: views, &targets)
            if let view = view as? LayoutView { view.area.redirect(to: target) }
            if let button = view as? LayoutButton { button.area.redirect(to: target) }
        }
        for (recognizer, spec) in relations {
            for other in spec.requiresFailureOf.compactMap({ recognizers[$0] }) { recognizer.require(toFail: other) }
            for other in spec.simultaneousWith.compactMap({ recognizers[$0] }) { companions.join(recognizer, other) }
        }
        redirects = []
        relations = []
    }

    /// - Parameter targets: The target of each redirect. Views on the path are updated to the last target, so that all
    ///   redirects of a chain together need only as many steps as the chain has views.
    private static func lastTarget(
        of id: String, among views: [String: View], _ targets: inout [ObjectIdentifier: String]
    ) -> View? {
        var last = id
        var way: [ObjectIdentifier] = []
        // The checker rejects circles, but a document may be created without the checker.
        while way.count <= targets.count, let view = views[last], let next = targets[ObjectIdentifier(view)] {
            way.append(ObjectIdentifier(view))
            last = next
        }
        for view in way { targets[view] = last }
        return views[last]
    }
}

extension HandlerBinding.Trigger {
    /// The touch phase of the trigger, if it has one.
    var phase: Touch.Phase? {
        switch self {
        case .began: .began
        case .moved: .moved
        case .ended: .ended
        case .cancelled: .cancelled
        default: nil
        }
    }

    /// The control events of the trigger, if it has any.
    fileprivate func events(of control: Control) -> Control.Events? {
        switch self {
        case .pressed: control is RepeatButton ? .pressedOrHeld : .primaryActionTriggered
        case .switchedOn: .switchedOn
        case .switchedOff: .switchedOff
        case .held: .held
        case .released: .released
        default: nil
        }
    }

    /// The recognizer state of the trigger, if it has one.
    fileprivate func state(of kind: GestureSpec.Kind) -> GestureRecognizer.State? {
        switch self {
        case .recognized: kind.name.isDiscrete ? .ended : .began
        case .began: .began
        case .changed: .changed
        case .ended: .ended
        case .cancelled: .cancelled
        default: nil
        }
    }
}

extension GestureRecord.Trigger {
    /// The trigger for a state that a recognizer of a gesture has entered.
    fileprivate init?(_ state: GestureRecognizer.State, isDiscrete: Bool) {
        switch state {
        case .began: self = .began
        case .changed: self = .changed
        case .ended: self = isDiscrete ? .recognized : .ended
        case .cancelled: self = .cancelled
        case .possible, .failed: return nil
        }
    }
}

// MARK: - Recognizers

extension GestureSpec.Kind {
    /// A recognizer for the gesture; a sequence finds its places later.
    var recognizer: GestureRecognizer {
        switch self {
        case .tap(let taps, let touches, let pause):
            let recognizer = TapGestureRecognizer()
            recognizer.numberOfTapsRequired = taps
            recognizer.numberOfTouchesRequired = touches
            recognizer.maximumIntervalBetweenTaps = pause
            return recognizer
        case .longPress(let duration, let movement, let taps, let touches):
            let recognizer = LongPressGestureRecognizer()
            recognizer.minimumPressDuration = duration
            recognizer.allowableMovement = movement
            recognizer.numberOfTapsRequired = taps
            recognizer.numberOfTouchesRequired = touches
            return recognizer
        case .pan(let least, let most, let movement):
            let recognizer = PanGestureRecognizer()
            recognizer.minimumNumberOfTouches = least
            recognizer.maximumNumberOfTouches = most
            recognizer.minimumMovement = movement
            return recognizer
        case .edgePan(let edge, let margin, let movement):
            let recognizer = ScreenEdgePanGestureRecognizer()
            recognizer.edges = edge.edges
            recognizer.edgeMargin = margin
            recognizer.minimumMovement = movement
            return recognizer
        case .swipe(let direction, let touches):
            let recognizer = SwipeGestureRecognizer()
            recognizer.direction = direction.directions
            recognizer.numberOfTouchesRequired = touches
            return recognizer
        case .pinch: return PinchGestureRecognizer()
        case .rotation: return RotationGestureRecognizer()
        case .hover: return HoverGestureRecognizer()
        case .sequence(_, let duration): return SequenceGestureRecognizer(places: [.zero], within: duration)
        case .chord(let touches, let duration): return ChordGestureRecognizer(touches: touches, duration: duration)
        }
    }
}

extension GestureName {
    /// The kind of a recognizer; nil for a recognizer class of a program.
    package init?(_ recognizer: GestureRecognizer) {
        switch recognizer {
        case is TapGestureRecognizer: self = .tap
        case is LongPressGestureRecognizer: self = .longPress
        // Before the pan, because it is a subclass of it.
        case is ScreenEdgePanGestureRecognizer: self = .edgePan
        case is PanGestureRecognizer: self = .pan
        case is SwipeGestureRecognizer: self = .swipe
        case is PinchGestureRecognizer: self = .pinch
        case is RotationGestureRecognizer: self = .rotation
        case is HoverGestureRecognizer: self = .hover
        case is SequenceGestureRecognizer: self = .sequence
        case is ChordGestureRecognizer: self = .chord
        default: return nil
        }
    }
}

extension GestureSpec.Edge {
    fileprivate var edges: RectEdge {
        switch self {
        case .top: .top
        case .left: .left
        case .bottom: .bottom
        case .right: .right
        }
    }
}

extension GestureSpec.Direction {
    fileprivate var directions: SwipeGestureRecognizer.Direction {
        switch self {
        case .right: .right
        case .left: .left
        case .up: .up
        case .down: .down
        }
    }
}
