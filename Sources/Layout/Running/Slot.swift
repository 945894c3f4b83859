import Foundation
import TouchKit

/// A slot of a scene: the view that the layout gives it, and the views that a program has published in it.
package final class Slot {
    /// The slot's entry in the layout.
    let spec: SlotSpec
    /// The layout's view.
    let view: View
    /// Contains the published views; another one when none of them stays.
    private(set) var content: View
    /// The entries of the published views, back to front; in the order of the content's subviews.
    var specs: [ViewSpec]
    /// The published views with an id, subviews included.
    var views: [String: View]
    /// The outermost private views among the published ones.
    private(set) var privateViews: [View] = []
    /// Whether its views are about to be published again after a reload. Until then a touch in the slot reaches nothing
    /// behind it, and no position is reported, because the views may be a PIN pad.
    package var isAwaited = false {
        didSet {
            guard isAwaited != oldValue else { return }
            content.isPrivate = isAwaited
            setPrivateViews(isAwaited ? [content] : privateViews.filter { $0 !== content })
            if !isAwaited { former = nil }
        }
    }
    /// The slot before a reload, until its views are published again; nil otherwise.
    var former: Former?

    /// A slot whose views have the state of those that are published again, and the scene that has it.
    struct Former {
        let scene: Scene
        let slot: Slot
    }
    /// The name of the program that published the views; nil while nothing is published.
    package var publisher: String?
    /// The number of published views, subviews included.
    package internal(set) var viewCount = 0
    /// The owner of the views, such as a client's connection.
    package internal(set) weak var owner: AnyObject?

    /// The slot's name.
    package var name: String { spec.name }

    /// The number of published views with an id.
    package var identifierCount: Int { views.count }

    /// Whether a published view has this id.
    package func contains(_ id: String) -> Bool { views[id] != nil }

    /// The slot's frame on its screen, in points.
    package var frame: CGRect { view.convert(view.bounds, to: nil) }

    /// - Parameters:
    ///   - specs: The published views of a document that contains them, and the subviews made for them.
    init(_ spec: SlotSpec, _ view: View, _ specs: [ViewSpec], _ subviews: [View]) {
        self.spec = spec
        self.view = view
        self.specs = specs
        publisher = spec.publisher
        views = Dictionary(View.identified(in: subviews), uniquingKeysWith: { $1 })
        content = SlotContent(frame: view.bounds)
        for subview in subviews { content.addSubview(subview) }
        view.addSubview(content)
    }

    /// Replaces the container in one step, and cancels the touches on its views.
    ///
    /// - Returns: The former container.
    func replaceContent(with new: SlotContent) -> View {
        let former = content
        view.replaceSubview(former, with: new)
        content = new
        return former
    }

    /// Sets the outermost private views among the published ones; in a private view of the layout they do not count.
    func setPrivateViews(_ views: [View]) { privateViews = view.outermostPrivate == nil ? views : [] }

    /// Prepares for many moves at once.
    func willMove(_ count: Int) { if count > 100 { content.forgetSubviewGrid() } }
}

/// Permits simultaneous recognition of the recognizers that a layout lists as `together-with`.
final class GestureCompanions: GestureRecognizerDelegate {
    private var companions: [ObjectIdentifier: Set<ObjectIdentifier>] = [:]

    /// Permits simultaneous recognition of two recognizers; true from either delegate is enough.
    func join(_ recognizer: GestureRecognizer, _ other: GestureRecognizer) {
        companions[ObjectIdentifier(recognizer), default: []].insert(ObjectIdentifier(other))
        recognizer.keptDelegate = self
    }

    func gestureRecognizer(
        _ recognizer: GestureRecognizer, shouldRecognizeSimultaneouslyWith other: GestureRecognizer
    ) -> Bool {
        companions[ObjectIdentifier(recognizer)]?.contains(ObjectIdentifier(other)) == true
    }
}

/// Views that are not used any more. Freeing thousands of them at once would delay touches.
package struct DiscardedViews {
    private var views: [View] = []
    private var specs: [ViewSpec] = []
    private var indexes: [[String: View]] = []

    /// Whether all are freed.
    package var isEmpty: Bool { views.isEmpty && specs.isEmpty && indexes.isEmpty }

    /// Takes views, which are in no window, and entries, each with everything in it, and an index.
    mutating func add(_ views: [View], _ specs: [ViewSpec], _ index: [String: View] = [:]) {
        self.views += views
        // The usual case, without a copy.
        if self.specs.isEmpty { self.specs = specs } else { self.specs += specs }
        if !index.isEmpty { indexes.append(index) }
    }

    /// Frees views while there is time.
    package mutating func free(while hasTime: () -> Bool) {
        while hasTime(), indexes.popLast() != nil {}
        // The subviews of a freed view are kept, so that they are freed one by one too.
        while hasTime(), let view = views.popLast() { views += view.subviews }
        while hasTime(), let spec = specs.popLast() { specs += spec.views }
    }
}

extension View {
    /// Every view with an id.
    static func identified(in roots: [View]) -> [(id: String, view: View)] {
        var views: [(id: String, view: View)] = []
        var waiting = roots
        while let view = waiting.popLast() {
            // Its views come and go; the slot has the index of them.
            if view is SlotContent { continue }
            if let id = view.accessibilityIdentifier { views.append((id, view)) }
            if !view.subviews.isEmpty { waiting += view.subviews }
        }
        return views
    }
}
