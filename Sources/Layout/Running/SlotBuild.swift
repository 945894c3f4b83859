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
    private var kept: ArraySlice<Publication.Kept>
    /// The new container. If no view stays, it has the views before the slot has it.
    private let content: SlotContent
    /// The views in it otherwise.
    private var roots: [View] = []
    private var companions: [GestureCompanions] = []
    private var views: [String: View] = [:]
    /// The outermost private views.
    private var privateViews: [View] = []
    private var problems: [PublicationError.Problem] = []
    /// Whether the slot has these views already, and at most some change.
    private let keepsAll: Bool
    private var isResolved: Bool

    private struct Level {
        var superview: View?
        var isPrivate = false
        /// The views, if they exist already.
        var existing: [View]?
        var specs: [ViewSpec]
        var next = 0
    }

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
        kept = publication.kept[...]
        content = SlotContent(frame: slot.view.bounds)
        levels = [Level(specs: publication.views)]
        views.reserveCapacity(publication.count)
        keepsAll = kept.count == publication.views.count && kept.count == slot.specs.count
        if keepsAll { levels = [] }
        isResolved = keepsAll
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
        finish()
        return true
    }

    /// Discards what was built.
    package func cancel() {
        let formerViews = slot.content.subviews
        let stay = Set(publication.kept.map { ObjectIdentifier(formerViews[$0.old]) })
        scene.discarded.add(roots.filter { !stay.contains(ObjectIdentifier($0)) } + [content], publication.views)
    }

    // MARK: Building

    private func buildNext() {
        let last = levels.count - 1, level = levels[last]
        guard level.next < level.specs.count else {
            levels.removeLast()
            return
        }
        levels[last].next += 1
        let spec = level.specs[level.next]
        var existing = level.existing?[level.next]
        if last == 0 {
            if let old = kept.first, old.new == level.next {
                kept.removeFirst()
                existing = slot.content.subviews[old.old]
                companions.append(slot.companions[old.old])
            } else {
                companions.append(builder.companions)
            }
        }
        let view = existing ?? builder.makeView(for: spec)
        if existing == nil {
            check(spec)
            level.superview?.addSubview(view)
        }
        if last == 0 {
            if publication.kept.isEmpty { content.addSubview(view) } else { roots.append(view) }
        }
        if let id = spec.id { views[id] = view }
        if spec.isPrivate, !level.isPrivate { privateViews.append(view) }
        if !spec.views.isEmpty {
            levels.append(
                Level(
                    superview: view, isPrivate: level.isPrivate || spec.isPrivate, existing: existing?.subviews,
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
        }
        let formerSpecs = slot.specs
        updateKept()
        slot.specs = publication.views
        guard !keepsAll else { return scene.discarded.add([], formerSpecs) }

        scene.forgetChanges(of: slot, replacedBy: views)
        let formerIndex = slot.views
        slot.views = views
        slot.companions = companions
        slot.setPrivateViews(privateViews)
        let gone = slot.replaceContent(with: content, containing: roots)
        builder.placeSequences(among: views)
        scene.discarded.add([gone], formerSpecs, formerIndex)
    }

    private func updateKept() {
        let views = slot.content.subviews, former = slot.specs
        slot.willMove(publication.changedCount)
        for entry in publication.kept where entry.isChanged {
            scene.update(views[entry.old], from: former[entry.old], to: publication.views[entry.new], in: slot)
        }
    }
}
