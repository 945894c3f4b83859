import Foundation
import TouchKit

/// Builds the window that a layout describes.
///
/// A view of the layout becomes a `View` with the layout's id as its identifier; what `on:` names is looked up and
/// added to the view in the order of the file. Handlers of the layout itself are added to the window, the responder
/// that every touch reaches which no view takes.
public struct LayoutBuilder {
    /// Finds a handler by the name that `on:` gives; the layout was checked against the same names.
    public var handler: (String) -> ((Touch, Event) -> Void)?

    /// Makes a builder over a source of handlers.
    public init(handler: @escaping (String) -> ((Touch, Event) -> Void)?) { self.handler = handler }

    /// Makes a window of the layout's size with its views; it is neither key nor visible yet.
    public func window(for document: LayoutDocument) -> Window {
        let window = Window(frame: CGRect(origin: .zero, size: document.screen.size))
        bind(document.on, to: window)
        for view in document.views { window.addSubview(self.view(for: view)) }
        return window
    }

    private func view(for spec: ViewSpec) -> View {
        let view = View(frame: spec.frame)
        view.identifier = spec.id
        view.isHidden = spec.isHidden
        view.isUserInteractionEnabled = spec.isUserInteractionEnabled
        view.alpha = spec.alpha
        view.isMultipleTouchEnabled = spec.isMultipleTouchEnabled
        view.isExclusiveTouch = spec.isExclusiveTouch
        bind(spec.on, to: view)
        for subview in spec.views { view.addSubview(self.view(for: subview)) }
        return view
    }

    private func bind(_ bindings: [HandlerBinding], to responder: Responder) {
        for binding in bindings {
            guard let body = handler(binding.handler) else {
                preconditionFailure("the layout was checked against other handlers than it is built with")
            }
            responder.addHandler(for: binding.trigger.phase, name: binding.handler, body)
        }
    }
}

extension HandlerBinding.Trigger {
    fileprivate var phase: Touch.Phase {
        switch self {
        case .began: .began
        case .moved: .moved
        case .ended: .ended
        case .cancelled: .cancelled
        }
    }
}
