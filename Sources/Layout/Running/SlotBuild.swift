import ControlProtocol
import Foundation
import TouchKit

/// Builds the views of a publication, some at a time, while touches are delivered. The slot gets them in one step, after
/// all are built.
///
/// A scene has at most one at a time, because each checks that its ids are unique. Cancel it when its owner or the scene is
/// gone.
package final class SlotBuild {
    private let publication: Publication
    private let slot: Slot
    private let scene: Scene
    private let publisher: String
    private let owner: AnyObject

    private var builder: SceneBuilder
    /// The lists of entries that are being built, each in the view before it.
    private var levels: [Level]
    /// The new container with the views, which it has before the slot has it; not used if a view stays.
    private let content: SlotContent
    /// The views that stay and get other subviews, the container included; the innermost first.
    private var replacements: [(superview: View, views: [View])] = []
    private var views: [String: View] = [:]
    /// The outermost private views.
    private var privateViews: [View] = []
    private var problems: [PublicationError.Problem] = []
    /// Whether the slot has these views already, and at most some change. An empty list may replace those of another owner.
    private let keepsAll: Bool
    private var isResolved: Bool
    /// The number of kept views that have their new entries.
    private var describedCount = 0

    private struct Level {
        let superview: View
        var isPrivate = false
        /// The entries whose views stay; nil if the superview is new.
        var kept: ArraySlice<Publication.Kept>?
        let specs: [ViewSpec]
        var next = 0
        /// The views, if the superview is not new.
        var views: [View] = []
    }

    /// The problems of entries that are left out.
    package var refusals: [PublicationError.Problem] { publication.refusals }

    /// Begins to build.
    ///
    /// - Parameters:
    ///   - publication: The views, read for the slot as it is now.
    ///   - publisher: The program's name in explanations.
    ///   - owner: The owner of the views from now on. The views of another owner are removed.
    package init(_ publication: Publication, in slot: Slot, of scene: Scene, by publisher: String, owner: AnyObject) {
        self.publication = publication
        (self.slot, self.scene, self.publisher, self.owner) = (slot, scene, publisher, owner)
        builder = SceneBuilder(scene.actions)
        content = SlotContent(frame: slot.view.bounds)
        keepsAll = publication.keepsAll && slot.specs.count == publication.views.count
        isResolved = keepsAll
        levels = []
        guard !keepsAll else { return }
        let kept = publication.kept
        levels.append(
            Level(
                superview: kept.isEmpty ? content : slot.content, kept: kept.isEmpty ? nil : kept[...],
                specs: publication.views))
        views.reserveCapacity(publication.count)
    }

    /// Builds views while there is time, at least one; after the last one, gives them to the slot. All errors are found
    /// before the slot changes.
    ///
    /// - Returns: Whether the slot has the views now.
    package func proceed(while hasTime: () -> Bool) throws(PublicationError) -> Bool {
        if !levels.isEmpty {
            repeat { buildNext() } while !levels.isEmpty && hasTime()
            if levels.isEmpty, !problems.isEmpty {
                cancel()
                throw PublicationError(problems)
            }
            return false
        }
        guard isResolved else {
            builder.resolveReferences(among: views)
            content.createSubviewGrid()
            isResolved = true
            return false
        }
        guard describedCount == publication.kept.count else {
            let views = slot.content.subviews
            repeat {
                let entry = publication.kept[describedCount]
                views[entry.old].replaceSpecs(
                    by: publication.views[entry.new], entry.subviews, in: scene.actions.language)
                describedCount += 1
            } while describedCount < publication.kept.count && hasTime()
            return false
        }
        let former = slot.views
        finish()
        scene.session?.viewsChanged { [slot] view in
            guard let id = view.accessibilityIdentifier else { return false }
            return slot.views[id] === view && former[id] !== view
        }
        return true
    }

    /// Discards what was built.
    package func cancel() {
        let built = replacements.flatMap(\.views) + levels.flatMap(\.views)
        scene.discarded.add(built.filter { $0.superview == nil } + [content], publication.views)
    }

    // MARK: Building

    private func buildNext() {
        let last = levels.count - 1, index = levels[last].next, superview = levels[last].superview
        guard index < levels[last].specs.count else {
            let level = levels.removeLast()
            if level.kept != nil, !level.views.elementsEqual(superview.subviews, by: ===) {
                replacements.append((superview, level.views))
            }
            return
        }
        levels[last].next += 1
        let spec = levels[last].specs[index]
        let entry = levels[last].kept?.first?.new == index ? levels[last].kept?.removeFirst() : nil
        let view = entry.map { superview.subviews[$0.old] } ?? builder.makeView(for: spec)
        if entry == nil { check(spec) }
        if levels[last].kept == nil { superview.addSubview(view) } else { levels[last].views.append(view) }
        if let id = spec.id { views[id] = view }
        let isPrivate = levels[last].isPrivate
        if spec.isPrivate, !isPrivate { privateViews.append(view) }
        if !spec.views.isEmpty || !view.subviews.isEmpty {
            levels.append(
                Level(
                    superview: view, isPrivate: isPrivate || spec.isPrivate, kept: entry?.subviews[...],
                    specs: spec.views))
        }
    }

    /// Checks that no other view has the id. An id of the slot itself is unique already.
    private func check(_ spec: ViewSpec) {
        guard let id = spec.id, slot.views[id] == nil, problems.count < LayoutLimit.findings,
            let other = scene.view(withIdentifier: id)
        else { return }
        let place = scene.slot(of: other).map { "slot '\($0.name)'" } ?? "the layout file"
        problems.append(
            publication.problem(
                ofView: id, at: spec.location, "a view in \(place) has the id '\(id)'; choose another"))
    }

    // MARK: The slot

    private func finish() {
        defer {
            // Only now: the ends of touches on the former views are events of their publisher.
            slot.owner = owner
            slot.publisher = publisher
            slot.viewCount = publication.count
            slot.former = nil
        }
        let formerSpecs = slot.specs
        updateKept()
        slot.specs = publication.views
        guard !keepsAll else { return scene.discarded.add([], formerSpecs) }

        scene.forgetChanges(of: slot, replacedBy: views)
        let formerIndex = slot.views
        slot.views = views
        slot.setPrivateViews(privateViews)
        let gone =
            publication.kept.isEmpty
            ? [slot.replaceContent(with: content)]
            : replacements.map { $0.superview.replaceSubviews(by: $0.views) }
        if let former = slot.former, former.slot.owner === owner { scene.adoptState(of: former, in: slot) }
        scene.discarded.add(gone, formerSpecs, formerIndex)
    }

    private func updateKept() {
        let views = slot.content.subviews, former = slot.specs
        slot.willMove(publication.changedCount)
        for entry in publication.kept where entry.isChanged {
            scene.update(views[entry.old], entry, from: former[entry.old], to: publication.views[entry.new])
        }
    }
}

// MARK: - The scene's part

/// The views that programs publish.
extension Scene {
    /// The slot with a name; nil if the layout has none.
    package func slot(named name: String) -> Slot? { slots[name] }

    /// All slots, sorted by name.
    package var allSlots: [Slot] { slots.values.sorted { $0.name < $1.name } }

    /// The slot whose published views contain a view; nil for a view of the layout itself.
    package func slot(of view: View?) -> Slot? {
        guard !slots.isEmpty, let content = view?.withSuperviews.first(where: { $0 is SlotContent }) else { return nil }
        // While views are replaced, the slot has two containers.
        return slots.values.first { $0.view === content.superview }
            ?? slots.values.lazy.compactMap { $0.former?.slot }.first { $0.view === content.superview }
    }

    /// What a publication of an owner in a slot depends on; it is valid until the slot's views change.
    package func place(of slot: Slot, for owner: AnyObject) -> SlotPlace {
        let superviews = slot.view.withSuperviews
        return SlotPlace(
            spec: slot.spec,
            context: LayoutReader.Context(
                size: slot.view.bounds.size, level: .superview, depth: superviews.reduce(1) { depth, _ in depth + 1 },
                gestureCount: superviews.reduce(0) { $0 + ($1.gestureRecognizers?.count ?? 0) },
                scale: superviews.reduce(1...1) { $0.scaled(by: $1.transform) }),
            former: slot.owner === owner ? slot.specs : [])
    }

    /// Replaces the views of a slot at once; `SlotBuild` does it while touches are delivered.
    ///
    /// All errors are found before anything changes. A view stays, with its touches, if nothing changed but its label, frame,
    /// shape and subviews, and whether it is hidden, enabled, transparent or on; touches on other views are cancelled.
    ///
    /// - Parameters:
    ///   - json: A list of views, with the keys of a layout file.
    ///   - publisher: The program's name in explanations.
    ///   - owner: The owner of the views from now on. The views of another owner are removed.
    package func publish(
        _ json: JSONTree, in slot: Slot, by publisher: String, owner: AnyObject
    ) throws(PublicationError) {
        let publication = try Publication(json, in: place(of: slot, for: owner))
        let build = SlotBuild(publication, in: slot, of: self, by: publisher, owner: owner)
        while try !build.proceed(while: { true }) {}
        discarded.free(while: { true })
    }

    /// Removes the views of a slot and cancels the touches on them.
    package func empty(_ slot: Slot) {
        let gone = slot.replaceContent(with: SlotContent(frame: slot.view.bounds))
        discarded.add([gone], slot.specs, slot.views)
        forgetChanges(of: slot, replacedBy: [:])
        slot.views = [:]
        slot.specs = []
        slot.setPrivateViews([])
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
        let own = slots.values.filter { $0.owner === owner }
        var moved: [(view: View, frame: CGRect)] = []
        moved.reserveCapacity(frames.count)
        for (id, frame) in frames {
            var found: View?
            for slot in own where found == nil { found = slot.views[id] }
            guard let found else { throw try notOwn(frames, own) }
            moved.append((found, frame))
        }
        for slot in own { slot.willMove(moved.count) }
        for (view, frame) in moved { view.place(at: frame) }
        for slot in own { for index in slot.specs.indices { slot.specs[index].updateFrames(frames) } }
    }

    /// The error of the first id, by name, that the owner has not published.
    private func notOwn(_ frames: [String: CGRect], _ own: [Slot]) throws(SceneError) -> SceneError {
        let id = frames.keys.sorted().first { id in !own.contains { $0.views[id] != nil } } ?? ""
        _ = try existing(id)
        return .notPublished(id)
    }

    // MARK: Views

    /// Forgets what was changed in views of a slot that are gone.
    func forgetChanges(of slot: Slot, replacedBy views: [String: View]) {
        func isGone(_ id: String) -> Bool { slot.views[id].map { $0 !== views[id] } ?? false }
        for id in originals.keys where isGone(id) { originals[id] = nil }
    }

    /// Applies what has changed between two publications of one view, which has its former subviews. Changes by handlers
    /// since then stay.
    func update(_ view: View, _ entry: Publication.Kept, from old: ViewSpec, to new: ViewSpec) {
        if old.frame != new.frame { view.place(at: new.frame) }
        if old.shape != new.shape { view.setShape(new.shape) }
        if old.alpha != new.alpha { view.alpha = new.alpha }
        if old.control != new.control, case .toggle(let isOn) = new.control, let toggle = view as? ToggleButton {
            toggle.restore(isOn)
        }
        if old.isHidden != new.isHidden {
            if let id = new.id { originals[id]?.isHidden = new.isHidden }
            view.isHidden = new.isHidden
        }
        if old.isEnabled != new.isEnabled {
            if let id = new.id { originals[id]?.isEnabled = new.isEnabled }
            set(new.isEnabled, of: view)
        }
        for entry in entry.subviews where entry.isChanged {
            update(view.subviews[entry.old], entry, from: old.views[entry.old], to: new.views[entry.new])
        }
    }
}

extension View {
    /// Sets the frame before the transform, like `frame` of a layout's entry.
    fileprivate func place(at frame: CGRect) {
        // Updates the grid of its siblings once.
        if transform.isIdentity { return self.frame = frame }
        bounds.size = frame.size
        center = CGPoint(x: frame.midX, y: frame.midY)
    }
}
