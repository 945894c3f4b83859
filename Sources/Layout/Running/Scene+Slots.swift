import ControlProtocol
import ControlProtocol
import Foundation
import TouchKit

/// The views that programs publish.
extension Scene {
    /// The slot with a name; nil if the layout has none.
    package func slot(named name: String) -> Slot? { slots[name] }

    /// All slots, sorted by name.
    package var allSlots: [Slot] { slots.values.sorted { $0.name < $1.name } }

    /// The slot whose published views contain a view; nil for a view of the layout itself.
    package func slot(of view: View?) -> Slot? {
        guard !slots.isEmpty, let content = view?.withSuperviews.first(where: { $0 is SlotContent }) else { return nil }
        return slots.values.first { $0.content === content }
    }

    /// Replaces the views of a slot.
    ///
    /// All errors are found before anything changes. A view stays, with its touches, if nothing changed but its frame
    /// and whether it is hidden, enabled or transparent; touches on other views are cancelled.
    ///
    /// - Parameters:
    ///   - json: A list of views, with the keys of a layout file.
    ///   - publisher: The program's name in explanations.
    ///   - owner: The owner of the views from now on. The views of another owner are removed.
    package func publish(
        _ json: JSONTree, in slot: Slot, by publisher: String, owner: AnyObject
    ) throws(PublicationError) {
        let publication = try Publication(
            json: json, slot: slot.spec, size: slot.view.bounds.size,
            depth: slot.view.withSuperviews.reduce(1) { depth, _ in depth + 1 },
            gestureCount: slot.view.withSuperviews.reduce(0) { $0 + ($1.gestureRecognizers?.count ?? 0) },
            scale: slot.view.withSuperviews.reduce(1...1) { $0.scaled(by: $1.transform) })
        try refuseTakenNames(publication, in: slot)
        if let former = slot.owner, former !== owner { empty(slot) }
        slot.owner = owner
        slot.publisher = publisher
        slot.viewCount = publication.count
        replace(publication, in: slot)
    }

    /// Removes the views of a slot and cancels the touches on them.
    package func empty(_ slot: Slot) {
        slot.replaceContent(with: [])
        updateIndex(adding: [], removing: slot.ids)
        slot.ids = []
        slot.entries = []
        slot.findPrivateViews()
        slot.viewCount = 0
        slot.publisher = nil
        slot.owner = nil
    }

    /// Moves and resizes published views, all or none.
    ///
    /// - Parameters:
    ///   - frames: The frames by id, in points of the superview.
    ///   - owner: The owner of the views.
    package func move(_ frames: [String: CGRect], of owner: AnyObject) throws(SceneError) {
        for id in frames.keys.sorted() where slot(of: try existing(id))?.owner !== owner {
            throw .notPublished(id)
        }
        for (id, frame) in frames {
            guard let view = views[id] else { continue }
            view.place(at: frame)
        }
        for slot in slots.values where slot.owner === owner {
            for index in slot.entries.indices {
                slot.entries[index].spec.updateFrames(frames)
            }
        }
    }

    // MARK: Names

    private func refuseTakenNames(_ publication: Publication, in slot: Slot) throws(PublicationError) {
        var problems: [PublicationError.Problem] = []
        func walk(_ specs: [ViewSpec]) {
            for spec in specs {
                if let id = spec.id, let other = views[id], !other.isDescendant(of: slot.content),
                    problems.count < LayoutLimit.findings
                {
                    let place = self.slot(of: other).map { "slot '\($0.name)'" } ?? "the layout file"
                    problems.append(
                        publication.problem(
                            ofView: id, at: spec.location, "a view in \(place) has the id '\(id)'; choose another"))
                }
                walk(spec.views)
            }
        }
        walk(publication.views)
        if !problems.isEmpty { throw PublicationError(problems) }
    }

    // MARK: Views

    private func replace(_ publication: Publication, in slot: Slot) {
        let former = slot.entries
        var kept = keptEntries(publication, in: slot)[...]
        let keepsNone = kept.isEmpty
        var builder = SceneBuilder(actions)
        var entries: [Slot.Entry] = []
        entries.reserveCapacity(publication.views.count)
        var (new, staying): ([(index: Int, view: View)], [View]) = ([], [])
        for (index, spec) in publication.views.enumerated() {
            guard let (_, old) = kept.first, kept.first?.new == index else {
                let view = builder.view(for: spec)
                entries.append(Slot.Entry(spec: spec, view: view, companions: builder.companions))
                new.append((index, view))
                continue
            }
            kept.removeFirst()
            update(former[old].view, from: former[old].spec, to: spec)
            entries.append(Slot.Entry(spec: spec, view: former[old].view, companions: former[old].companions))
            staying.append(former[old].view)
        }
        slot.entries = entries
        if new.isEmpty, staying.count == former.count { return }
        builder.finish(new.map(\.view))

        let stayingNames = Set(SceneBuilder.identified(in: staying).map(\.id))
        updateIndex(adding: [], removing: slot.ids.filter { !stayingNames.contains($0) })
        if keepsNone {
            slot.replaceContent(with: new.map(\.view))
        } else {
            let stayingViews = Set(staying.map { ObjectIdentifier($0) })
            for entry in former where !stayingViews.contains(ObjectIdentifier(entry.view)) {
                entry.view.removeFromSuperview()
            }
            for (index, view) in new { slot.content.insertSubview(view, at: index) }
        }
        let newNames = SceneBuilder.identified(in: new.map(\.view))
        updateIndex(adding: newNames, removing: [])
        slot.ids = Array(stayingNames) + newNames.map(\.id)
        slot.findPrivateViews()
    }

    /// The new entries whose views exist already, each with the number of the old one, in the same order.
    private func keptEntries(_ publication: Publication, in slot: Slot) -> [(new: Int, old: Int)] {
        guard !slot.entries.isEmpty else { return [] }
        var numbers: [String: Int] = [:]
        for (number, entry) in slot.entries.enumerated() { if let id = entry.spec.id { numbers[id] = number } }
        var kept: [(new: Int, old: Int)] = []
        var last = -1
        for (new, spec) in publication.views.enumerated() {
            guard let old = spec.id.flatMap({ numbers[$0] }), old > last, slot.entries[old].spec.isSame(as: spec) else {
                continue
            }
            kept.append((new, old))
            last = old
        }
        // Entries that refer to each other stay together or go together.
        if publication.isInterconnected,
            kept.count != publication.views.count || kept.count != slot.entries.count
        {
            return []
        }
        return kept
    }

    /// Applies what has changed between two publications of one view. Changes by handlers since then stay.
    private func update(_ view: View, from old: ViewSpec, to new: ViewSpec) {
        if old.frame != new.frame { view.place(at: new.frame) }
        if old.alpha != new.alpha { view.alpha = new.alpha }
        if old.isHidden != new.isHidden {
            if let id = new.id { originallyHidden[id] = nil }
            view.isHidden = new.isHidden
        }
        if old.isEnabled != new.isEnabled {
            if let id = new.id { originallyEnabled[id] = nil }
            set(new.isEnabled, of: view)
        }
        for (subview, (old, new)) in zip(view.subviews, zip(old.views, new.views)) {
            update(subview, from: old, to: new)
        }
        for (recognizer, gesture) in zip(view.gestureRecognizers ?? [], new.gestures) {
            guard case .sequence(let ids, _) = gesture.kind else { continue }
            (recognizer as? SequenceGestureRecognizer)?.places = ids.compactMap { views[$0] }
                .map { $0.convert($0.bounds, to: view) }
        }
    }
}

extension View {
    /// Sets the frame before the transform, like `frame` of a layout's entry.
    fileprivate func place(at frame: CGRect) {
        bounds.size = frame.size
        center = CGPoint(x: frame.midX, y: frame.midY)
    }
}
