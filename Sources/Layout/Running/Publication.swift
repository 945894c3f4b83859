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
    /// Whether all views exist already, in this order, and no others.
    let keepsAll: Bool
    /// How many of the kept entries need an update.
    let changedCount: Int
    private let text: Text

    /// An entry whose view stays.
    struct Kept: Sendable {
        /// Its index in its list, and that in the former list.
        var new, old: Int
        /// Its number among all entries, of which each comes before those in it, and the former number.
        fileprivate var newNumber, oldNumber: Int
        /// Whether its view, or a view in it that stays, needs an update.
        var isChanged: Bool
        /// The entries in it whose views stay, in order.
        var subviews: [Kept]
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
        kept = views.kept(of: place.former).withWholeGroups(place.former, views)
        keepsAll = kept.areAll(views, place.former)
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
    /// The number of entries, with those in them.
    fileprivate var size: Int { reduce(0) { $0 + 1 + $1.views.size } }

    /// The number of each entry, if the first one has this number.
    private func numbers(from first: Int) -> [Int] {
        var next = first
        return map { spec in
            defer { next += 1 + spec.views.size }
            return next
        }
    }

    /// The entries whose views stay: the same as former ones but for what can change while a view is touched, and for the
    /// entries in them.
    ///
    /// - Parameter first: The numbers of the first entry and of the first former one.
    fileprivate func kept(of former: [ViewSpec], first: (new: Int, old: Int) = (0, 0)) -> [Publication.Kept] {
        guard !former.isEmpty else { return [] }
        let newNumbers = numbers(from: first.new), oldNumbers = former.numbers(from: first.old)
        // The first entry with each key, and the next one after each entry.
        var firstWithKey: [EntryKey: Int] = [:], next = [Int?](repeating: nil, count: former.count)
        firstWithKey.reserveCapacity(former.count)
        for index in former.indices.reversed() {
            next[index] = firstWithKey.updateValue(index, forKey: EntryKey(former[index]))
        }
        var kept: [Publication.Kept] = []
        kept.reserveCapacity(count)
        for (new, spec) in enumerated() {
            let key = EntryKey(spec)
            var (old, previous, steps) = (firstWithKey[key], Int?.none, 0)
            // Entries without an id may have one frame; the limit bounds the time.
            while let candidate = old, steps < 8, !former[candidate].isSame(as: spec) {
                (previous, old, steps) = (candidate, next[candidate], steps + 1)
            }
            guard let old, steps < 8 else { continue }
            if let previous { next[previous] = next[old] } else { firstWithKey[key] = next[old] }
            let subviews = spec.views.kept(of: former[old].views, first: (newNumbers[new] + 1, oldNumbers[old] + 1))
            let isChanged = spec.needsUpdate(from: former[old]) || subviews.contains { $0.isChanged }
            kept.append(
                Publication.Kept(
                    new: new, old: old, newNumber: newNumbers[new], oldNumber: oldNumbers[old], isChanged: isChanged,
                    subviews: subviews))
        }
        return kept
    }

    /// Calls a closure with the numbers of each two entries of which one refers to the other or to a gesture of it.
    fileprivate func forEachReference(_ body: (Int, Int) -> Void) {
        var references: [(number: Int, name: String)] = [], owners: [String: Int] = [:], number = 0
        func find(in views: [ViewSpec]) {
            for view in views {
                if let target = view.redirect { references.append((number, "view \(target)")) }
                for gesture in view.gestures {
                    for other in gesture.requiresFailureOf + gesture.simultaneousWith {
                        references.append((number, "gesture \(other)"))
                    }
                }
                number += 1
                find(in: view.views)
            }
        }
        find(in: self)
        guard !references.isEmpty else { return }
        func name(in views: [ViewSpec]) {
            for view in views {
                if let id = view.id { owners["view \(id)"] = number }
                for gesture in view.gestures { if let id = gesture.id { owners["gesture \(id)"] = number } }
                number += 1
                name(in: view.views)
            }
        }
        number = 0
        name(in: self)
        for (number, name) in references {
            if let owner = owners[name], owner != number { body(number, owner) }
        }
    }
}

nonisolated extension [Publication.Kept] {
    /// Whether they are all entries of a list and of the former one, in their order.
    fileprivate func areAll(_ new: [ViewSpec], _ former: [ViewSpec]) -> Bool {
        count == new.count && count == former.count
            && allSatisfy { $0.new == $0.old && $0.subviews.areAll(new[$0.new].views, former[$0.old].views) }
    }

    /// Without those that refer, also by others, to an entry that is new or gone: they cannot be replaced one by one.
    fileprivate func withWholeGroups(_ former: [ViewSpec], _ new: [ViewSpec]) -> [Publication.Kept] {
        guard !isEmpty else { return self }
        // The former entries, and then the new ones; each leads to another of its group, the last one to itself.
        let formerCount = former.size
        var links = Array<Int>(0..<formerCount + new.size)
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
        new.forEachReference { join(formerCount + $0, formerCount + $1) }
        guard hasReferences else { return self }
        forEachEntry { join($0.oldNumber, formerCount + $0.newNumber) }
        var kept = self
        while true {
            var alone = Set(links.indices)
            kept.forEachEntry { alone.subtract([$0.oldNumber, formerCount + $0.newNumber]) }
            let broken = Set(alone.map { group(of: $0) })
            // The entries in one that goes are gone, too, and their groups.
            guard kept.removeAll(where: { broken.contains(group(of: $0.oldNumber)) }) else { return kept }
        }
    }

    private func forEachEntry(_ body: (Publication.Kept) -> Void) {
        for entry in self {
            body(entry)
            entry.subviews.forEachEntry(body)
        }
    }

    /// Removes entries at any depth; returns whether there was one.
    private mutating func removeAll(where isGone: (Publication.Kept) -> Bool) -> Bool {
        let before = count
        self = filter { !isGone($0) }
        var hasRemoved = count < before
        for index in indices where self[index].subviews.removeAll(where: isGone) { hasRemoved = true }
        return hasRemoved
    }
}

nonisolated extension ViewSpec {
    /// Whether a view that stays must change itself.
    fileprivate func needsUpdate(from old: ViewSpec) -> Bool {
        frame != old.frame || shape != old.shape || self.alpha != old.alpha || isHidden != old.isHidden
            || isEnabled != old.isEnabled || control != old.control
    }
}
