import ControlProtocol
import Foundation

/// The views that a program publishes into a slot, read and checked.
package nonisolated struct Publication: Sendable {
    /// The views, back to front; their frames are in the slot's coordinates.
    let views: [ViewSpec]
    /// The number of views, subviews included.
    let count: Int
    /// The problems of entries with an invalid name, which are left out.
    let refusals: [PublicationError.Problem]
    /// The entries whose views exist already, in order.
    let kept: [Kept]
    /// How many of them need an update.
    let changedCount: Int
    private let text: Text

    /// An entry whose view stays.
    struct Kept: Sendable {
        /// Its index, and that in the former list.
        var new, old: Int
        /// Whether its view needs an update.
        var isChanged: Bool
    }

    /// Reads the value of the request's key `views`, with the reader of layout files. Any thread may do it.
    package init(_ json: JSONTree, in place: SlotPlace) throws(PublicationError) {
        let slot = place.spec
        var reader = LayoutReader()
        reader.slotHandlers = slot.handlerNames
        let file = "slot '\(slot.name)'"
        let root: Node
        do throws(JSONError) {
            root = try YAMLTree.root(of: json, file: file)
        } catch {
            throw PublicationError(message: error.description)
        }
        text = Text(root)
        views = reader.views(root, in: place.context)
        count = reader.viewCount
        refusals = reader.refusals.inOrder(of: [file]).map(text.problem)
        let document = LayoutDocument(screens: [ScreenSpec(size: place.context.size)], views: views)
        var findings = reader.findings
        if !reader.isExhausted {
            var checker = LayoutChecker(document, by: reader, builtins: reader.slotHandlers ?? [])
            checker.checkPublication()
            findings = checker.findings
        }
        kept = views.kept(of: place.former)
        changedCount = kept.count(where: \.isChanged)
        guard !findings.hasErrors else {
            throw PublicationError(findings.inOrder(of: [file]).filter { $0.severity == .error }.map(text.problem))
        }
    }

    /// A problem of the entry that defines a view.
    func problem(ofView id: String, at location: SourceLocation, _ message: String) -> PublicationError.Problem {
        text.problem(LayoutFinding(.error, at: location, message))
    }

    /// The entries of the text, to find the one that contains a location.
    private struct Text {
        /// The columns at which the entries begin, and their ids.
        let columns: [Int], ids: [String?]

        init(_ root: Node) {
            let entries = root.items
            columns = entries.map(\.location.column)
            ids = entries.map { entry in
                (0..<entry.count).first { entry.kind == .mapping && entry.key($0).isText("id") }
                    .map { entry.value($0).string }
            }
        }

        func problem(_ finding: LayoutFinding) -> PublicationError.Problem {
            let following = columns.firstIndex { $0 > finding.location.column } ?? columns.count
            guard following > 0 else { return PublicationError.Problem(message: finding.message) }
            return PublicationError.Problem(
                index: following - 1,
                view: ids[following - 1].flatMap { $0.isEmpty ? nil : String($0.prefix(LayoutLimit.nameLength)) },
                message: finding.message)
        }
    }
}

nonisolated extension LayoutDocument {
    /// Adds the published views of a slot, for explanations of a running layout; its scene has them like published ones.
    ///
    /// - Parameters:
    ///   - json: A list of views, as for `Scene.publish`.
    ///   - frames: The frames of views that were moved since, by id.
    package mutating func publish(
        _ json: JSONTree, frames: [String: CGRect], in slot: String, by publisher: String
    ) throws(PublicationError) {
        func publish(in specs: inout [ViewSpec]) throws(PublicationError) {
            for index in specs.indices {
                try publish(in: &specs[index].views)
                guard let found = specs[index].slot, found.name == slot else { continue }
                let context = LayoutReader.Context(size: specs[index].frame.size, level: .superview)
                let publication = try Publication(json, in: SlotPlace(spec: found, context: context))
                specs[index].views = publication.views
                for view in specs[index].views.indices { specs[index].views[view].updateFrames(frames) }
                specs[index].slot?.publisher = publisher
            }
        }
        try publish(in: &views)
        for index in pages.indices { try publish(in: &pages[index].views) }
    }
}

nonisolated extension [ViewSpec] {
    /// The entries whose views stay: the same as former ones but for what can change while a view is touched.
    fileprivate func kept(of former: [ViewSpec]) -> [Publication.Kept] {
        guard !former.isEmpty else { return [] }
        // The first entry with each key, and the next one after each entry.
        var first: [EntryKey: Int] = [:], next = [Int?](repeating: nil, count: former.count)
        first.reserveCapacity(former.count)
        for index in former.indices.reversed() {
            next[index] = first.updateValue(index, forKey: EntryKey(former[index]))
        }
        var kept: [Publication.Kept] = []
        kept.reserveCapacity(count)
        for (new, spec) in enumerated() {
            let key = EntryKey(spec)
            var (old, previous, steps) = (first[key], Int?.none, 0)
            // Entries without an id may have one frame; the limit bounds the time.
            while let candidate = old, steps < 8, !former[candidate].isSame(as: spec) {
                (previous, old, steps) = (candidate, next[candidate], steps + 1)
            }
            guard let old, steps < 8 else { continue }
            if let previous { next[previous] = next[old] } else { first[key] = next[old] }
            kept.append(Publication.Kept(new: new, old: old, isChanged: spec.needsUpdate(from: former[old])))
        }
        // Without a new or a former entry, no group is broken.
        let areAll = kept.count == count && count == former.count
        return kept.isEmpty || areAll ? kept : kept.withWholeGroups(former, self)
    }

    /// Calls a closure with each two entries of which one refers to a view or gesture of the other.
    fileprivate func forEachReference(_ body: (Int, Int) -> Void) {
        var references: [(entry: Int, name: String)] = []
        func find(_ view: ViewSpec, _ entry: Int) {
            if let target = view.redirect { references.append((entry, "view \(target)")) }
            for gesture in view.gestures {
                for other in gesture.requiresFailureOf + gesture.simultaneousWith {
                    references.append((entry, "gesture \(other)"))
                }
            }
            for subview in view.views { find(subview, entry) }
        }
        for (entry, view) in enumerated() { find(view, entry) }
        guard !references.isEmpty else { return }
        var owners: [String: Int] = [:]
        func name(_ view: ViewSpec, _ entry: Int) {
            if let id = view.id { owners["view \(id)"] = entry }
            for gesture in view.gestures { if let id = gesture.id { owners["gesture \(id)"] = entry } }
            for subview in view.views { name(subview, entry) }
        }
        for (entry, view) in enumerated() { name(view, entry) }
        for (entry, name) in references {
            if let owner = owners[name], owner != entry { body(entry, owner) }
        }
    }
}

nonisolated extension [Publication.Kept] {
    /// Without those that refer, also by others, to an entry that is new or gone: they cannot be replaced one by one.
    fileprivate func withWholeGroups(_ former: [ViewSpec], _ new: [ViewSpec]) -> [Publication.Kept] {
        // The former entries, and then the new ones; each leads to another of its group, the last one to itself.
        var links = Array<Int>(0..<former.count + new.count)
        func group(of entry: Int) -> Int {
            var entry = entry
            while links[entry] != entry {
                links[entry] = links[links[entry]]
                entry = links[entry]
            }
            return entry
        }
        var hasReferences = false
        func join(_ entry: Int, _ other: Int) {
            hasReferences = true
            links[group(of: entry)] = group(of: other)
        }
        former.forEachReference { join($0, $1) }
        new.forEachReference { join(former.count + $0, former.count + $1) }
        guard hasReferences else { return self }
        var alone = Set(links.indices)
        for entry in self {
            join(entry.old, former.count + entry.new)
            alone.subtract([entry.old, former.count + entry.new])
        }
        let broken = Set(alone.map { group(of: $0) })
        return filter { !broken.contains(group(of: $0.old)) }
    }
}

nonisolated extension ViewSpec {
    /// Whether a view that stays must change.
    fileprivate func needsUpdate(from old: ViewSpec) -> Bool {
        frame != old.frame || shape != old.shape || self.alpha != old.alpha || isHidden != old.isHidden
            || isEnabled != old.isEnabled || zip(views, old.views).contains { $0.needsUpdate(from: $1) }
    }
}
