import Foundation
import TouchKit

/// A layout at work: its windows, the page that each screen shows, and its views by their ids.
///
/// What `on:` names is not run here: `perform` is called with the step and its occasion, inside the delivery.
public final class Scene {
    /// Takes a step of the layout.
    public typealias Perform = (HandlerStep, Occasion) -> Void

    /// The layout.
    public let document: LayoutDocument
    /// One window a screen, in the layout's order; none is visible before `activate()`.
    public let windows: [Window]
    /// Is called when a screen shows another page, after `appeared` handlers ran.
    public var didShowPage: ((String) -> Void)?

    private let perform: Perform
    private var viewsByIdentifier: [String: View] = [:]

    /// Builds a layout's windows and views.
    public init(_ document: LayoutDocument, perform: @escaping Perform) {
        self.document = document
        self.perform = perform
        windows = document.screens.map { Window(frame: CGRect(origin: .zero, size: $0.size)) }
        for window in windows {
            bind(document.on, to: window)
        }
        for spec in document.views { windows[0].addSubview(view(for: spec)) }
    }

    /// Shows the windows, the first as the key window.
    public func activate() {
        for window in windows.reversed() { window.makeKeyAndVisible() }
    }

    /// Hides the windows; touches on them are cancelled.
    public func deactivate() {
        for window in windows { window.isHidden = true }
    }

    /// The view of an id; nil if the layout has none.
    public func view(withIdentifier id: String) -> View? { viewsByIdentifier[id] }

    private func view(for spec: ViewSpec) -> View {
        let view = View(frame: spec.frame)
        view.identifier = spec.id
        view.isHidden = spec.isHidden
        view.isUserInteractionEnabled = spec.isEnabled
        view.alpha = spec.alpha
        view.isMultipleTouchEnabled = spec.isMultipleTouchEnabled
        view.isExclusiveTouch = spec.isExclusiveTouch
        view.isPrivate = spec.isPrivate
        if let id = spec.id { viewsByIdentifier[id] = view }
        bind(spec.on, to: view)
        for subview in spec.views { view.addSubview(self.view(for: subview)) }
        return view
    }

    private func bind(_ bindings: [HandlerBinding], to responder: Responder) {
        for binding in bindings {
            guard let phase = binding.trigger.phase else { continue }
            responder.addHandler(for: phase, name: binding.step.name) { [perform, weak responder] touch, event in
                perform(binding.step, Occasion(binding.trigger, .touch(touch, event), at: responder))
            }
        }
    }
}

extension HandlerBinding.Trigger {
    /// The phase of a touch that is meant, if one is.
    var phase: Touch.Phase? {
        switch self {
        case .began: .began
        case .moved: .moved
        case .ended: .ended
        case .cancelled: .cancelled
        default: nil
        }
    }
}
