import Foundation
import TouchKit

/// A slot of a scene: the view that the layout gives it, and the views that a program has published in it.
package final class Slot {
    /// The slot's entry in the layout.
    let spec: SlotSpec
    /// The layout's view.
    let view: View
    /// Contains the published views; replaced as a whole, unless some of them stay.
    private(set) var content: View
    /// The published views, back to front; in the order of the content's subviews.
    var entries: [Entry] = []
    /// The published views with an id, subviews included.
    var ids: [String] = []
    /// The outermost private views among the published ones.
    private(set) var privateViews: [View] = []
    /// The name of the program that published the views; nil while nothing is published.
    package internal(set) var publisher: String?
    /// The number of published views, subviews included.
    package internal(set) var viewCount = 0
    /// The owner of the views, such as a client's connection.
    package internal(set) weak var owner: AnyObject?

    /// A published view with its subviews.
    struct Entry {
        var spec: ViewSpec
        let view: View
        /// Keeps the delegate of the view's recognizers.
        let companions: GestureCompanions
    }

    /// The slot's name.
    package var name: String { spec.name }

    /// The slot's frame on its screen, in points.
    package var frame: CGRect { view.convert(view.bounds, to: nil) }

    /// - Parameters:
    ///   - entries: The published views of a document that contains them.
    ///   - ids: Their ids, with those of subviews.
    init(_ spec: SlotSpec, _ view: View, _ entries: [Entry], ids: [String]) {
        self.spec = spec
        self.view = view
        self.entries = entries
        publisher = spec.publisher
        self.ids = ids
        content = SlotContent(frame: view.bounds)
        for entry in entries { content.addSubview(entry.view) }
        view.addSubview(content)
    }

    /// Replaces the container; cancels the touches on the previous one.
    func replaceContent(with views: [View]) {
        // The touches on the old views are cancelled while their slot can still be found.
        content.removeFromSuperview()
        content = SlotContent(frame: view.bounds)
        for subview in views { content.addSubview(subview) }
        view.addSubview(content)
    }

    /// Updates the list of private views.
    func findPrivateViews() {
        privateViews = view.outermostPrivate == nil ? View.outermostPrivateViews(in: content.subviews) : []
    }
}

/// The container of a slot's views; it takes no touches itself.
final class SlotContent: View {
    override init(frame: CGRect) {
        super.init(frame: frame)
        isLaidOut = false
    }

    override func hitTest(_ point: CGPoint, with event: Event?) -> View? {
        let hit = super.hitTest(point, with: event)
        return hit === self ? nil : hit
    }

    // Like other views of a layout, a published view is touched only inside the slot.
    override func point(inside point: CGPoint, with event: Event?) -> Bool { bounds.contains(point) }
}
