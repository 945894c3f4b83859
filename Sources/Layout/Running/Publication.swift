import ControlProtocol
import Foundation

/// The views that a program publishes into a slot, read and checked.
nonisolated struct Publication {
    /// The views, back to front; their frames are in the slot's coordinates.
    let views: [ViewSpec]
    /// The number of views, subviews included.
    let count: Int
    /// Whether an entry refers to views or gestures of another entry, so that entries cannot be replaced one by one.
    let isInterconnected: Bool
    private let text: Text

    /// Reads the value of the request's key `views`, with the reader of layout files.
    ///
    /// - Parameters:
    ///   - json: A list of views.
    ///   - slot: The slot.
    ///   - size: The slot's size in points.
    ///   - depth: The number of superviews around the views.
    ///   - gestureCount: The number of gestures of those superviews.
    ///   - scale: The least and the greatest factor by which those superviews scale together.
    init(
        json: JSONTree, slot: SlotSpec, size: CGSize, depth: Int, gestureCount: Int,
        scale: ClosedRange<Double> = 1...1
    ) throws(PublicationError) {
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
        var context = LayoutReader.Context(size: size, level: .superview)
        context.depth = depth
        context.gestureCount = gestureCount
        context.scale = scale
        views = reader.views(root, in: context)
        count = reader.viewCount
        let document = LayoutDocument(
            screens: [ScreenSpec(name: nil, size: size)], devices: [], on: [], views: views, pages: [], handlers: [],
            idle: [], warnings: [])
        var findings = reader.nodes.findings
        if !reader.nodes.isExhausted {
            var checker = LayoutChecker(document, by: reader, builtins: reader.slotHandlers ?? [])
            checker.checkPublication(viewCount: count)
            findings = checker.findings
        }
        isInterconnected = views.areInterconnected
        guard !findings.hasErrors else {
            throw PublicationError(
                findings.inOrder(of: [file]).filter { $0.severity == .error }.map(text.problem))
        }
    }

    /// A problem of the entry that defines a view.
    func problem(ofView id: String, at location: SourceLocation, _ message: String) -> PublicationError.Problem {
        text.problem(LayoutFinding(.error, at: location, message))
    }

    /// The entries of the text, to find the one that contains a location.
    private struct Text {
        let root: Node

        init(_ root: Node) { self.root = root }

        func problem(_ finding: LayoutFinding) -> PublicationError.Problem {
            let entries = root.items
            let following = entries.firstIndex { $0.location.column > finding.location.column } ?? entries.count
            guard following > 0 else { return PublicationError.Problem(message: finding.message) }
            let entry = entries[following - 1]
            let id = (0..<entry.count).first { entry.kind == .mapping && entry.key($0).isText("id") }
                .map { entry.value($0).string }
            return PublicationError.Problem(
                index: following - 1, view: id.flatMap { $0.isEmpty ? nil : String($0.prefix(LayoutLimit.nameLength)) },
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
                let publication = try Publication(
                    json: json, slot: found, size: specs[index].frame.size, depth: 1, gestureCount: 0)
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
    /// Whether one of the entries refers to a view or gesture of another.
    fileprivate var areInterconnected: Bool {
        var owners: [String: Int] = [:]
        var references: [(entry: Int, name: String)] = []
        func walk(_ view: ViewSpec, _ entry: Int) {
            if let target = view.redirect { references.append((entry, "view \(target)")) }
            for gesture in view.gestures {
                for other in gesture.requiresFailureOf + gesture.simultaneousWith {
                    references.append((entry, "gesture \(other)"))
                }
            }
            for subview in view.views { walk(subview, entry) }
        }
        for (entry, view) in enumerated() { walk(view, entry) }
        guard !references.isEmpty else { return false }
        func note(_ view: ViewSpec, _ entry: Int) {
            if let id = view.id { owners["view \(id)"] = entry }
            for gesture in view.gestures { if let id = gesture.id { owners["gesture \(id)"] = entry } }
            for subview in view.views { note(subview, entry) }
        }
        for (entry, view) in enumerated() { note(view, entry) }
        return references.contains { owners[$0.name] != $0.entry }
    }
}
