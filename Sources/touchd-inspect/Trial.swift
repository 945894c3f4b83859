import ControlProtocol
import Foundation
import Layout
import Reports

/// Changes to a layout that are tried in the inspector only.
struct Trial: JSONMessage, Equatable {
    /// The changes to one view; absent properties keep their values from the file.
    struct ViewChange: JSONMessage, Equatable {
        var view = "", hidden: Bool?, enabled: Bool?, frame: [Double]?

        static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member("view", "the view's key in `InspectedLayout`", \.view)
            visitor.member("hidden", "whether it is hidden", \.hidden)
            visitor.member("enabled", "whether it receives touches", \.enabled)
            visitor.member("frame", .points, "x, y, width and height, in the superview's coordinates", \.frame)
        }
    }

    var changes: [ViewChange] = [], state: [InspectionRecord.ViewState]?

    static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("changes", "the changes", \.changes)
        visitor.member(
            "state", "the states of views at the selected moment of a recording; absent for a running touchd", \.state)
    }

    /// The layout with the changes of a running touchd, and then those of the trial.
    func applied(to document: LayoutDocument, state: [InspectionRecord.ViewState] = []) -> LayoutDocument {
        let byKey = Dictionary(changes.map { ($0.view, $0) }) { $1 }
        let byID = Dictionary(state.map { ($0.view, $0) }) { $1 }
        guard !byKey.isEmpty || !byID.isEmpty else { return document }
        var document = document
        Self.forEachView(of: &document) { key, spec in
            if let state = spec.id.flatMap({ byID[$0] }) {
                spec.isHidden = state.hidden
                spec.isEnabled = state.enabled
            }
            if let change = byKey[key] { change.apply(to: &spec) }
        }
        return document
    }

    /// The changed keys of the changed views as entries of `views:`, each under its parent; empty without changes.
    func yaml(for document: LayoutDocument) -> String {
        var document = document
        var entries: [String] = []
        let byKey = Dictionary(changes.map { ($0.view, $0) }) { $1 }
        var counts: [SourceLocation: Int] = [:]
        Self.forEachView(of: &document) { _, spec in counts[spec.location, default: 0] += 1 }
        Self.forEachView(of: &document) { key, spec in
            guard let change = byKey[key] else { return }
            let keys = change.keys(before: spec)
            guard !keys.isEmpty else { return }
            // All cells of a grid have the location of its view.
            guard counts[spec.location] == 1 else {
                let text = change.cellText(before: spec, id: spec.id.map(Self.quoted))
                entries.append("# \(spec.location), a cell of a grid\n" + text)
                return
            }
            let head = spec.id.map { "- id: \(Self.quoted($0))" } ?? "- # this view has no id"
            entries.append((["# \(spec.location)", head] + keys.map { "  \($0)" }).joined(separator: "\n"))
        }
        return entries.map { $0 + "\n" }.joined(separator: "\n")
    }

    /// Calls a closure with each view and its key in `InspectedLayout`, superviews first.
    private static func forEachView(of document: inout LayoutDocument, _ body: (String, inout ViewSpec) -> Void) {
        var keys = ViewKeys()
        document.forEachView { body(keys.key(of: $0), &$0) }
    }

    /// A string that YAML cannot read as another type.
    private static func quoted(_ text: String) -> String {
        let isPlain = text.wholeMatch(of: /[A-Za-z][A-Za-z0-9_-]*/) != nil
        let isWord = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(text.lowercased())
        guard !isPlain || isWord else { return text }
        // JSON strings are double-quoted YAML strings.
        return text.jsonText()
    }
}

extension Trial.ViewChange {
    fileprivate func apply(to spec: inout ViewSpec) {
        spec.isHidden = hidden ?? spec.isHidden
        spec.isEnabled = enabled ?? spec.isEnabled
        if let rect { spec.frame = rect }
    }

    /// The properties that differ from the file, as YAML keys.
    fileprivate func keys(before spec: ViewSpec) -> [String] {
        var keys: [String] = []
        if let rect, rect != spec.frame {
            let numbers = [rect.minX, rect.minY, rect.width, rect.height].map(SVGWriter.number)
            keys.append("frame: [\(numbers.joined(separator: ", "))]")
        }
        if let hidden, hidden != spec.isHidden { keys.append("hidden: \(hidden)") }
        if let enabled, enabled != spec.isEnabled { keys.append("enabled: \(enabled)") }
        return keys
    }

    /// The handlers that make the change to a cell of a grid, which has no separate entry in the file.
    fileprivate func cellText(before spec: ViewSpec, id: String?) -> String {
        guard let id else { return "# the cells need ids: add id: NAME-{index} to the grid's view" }
        var steps: [String] = []
        if let hidden, hidden != spec.isHidden { steps.append("{\(hidden ? "hide" : "show"): \(id)}") }
        if let enabled, enabled != spec.isEnabled { steps.append("{\(enabled ? "enable" : "disable"): \(id)}") }
        var lines = steps.isEmpty ? [] : ["# in the page:", "on: {appeared: [\(steps.joined(separator: ", "))]}"]
        if let rect, rect != spec.frame {
            lines.append(
                "# a grid places its cells: change its frame, gap or step, or leave the cell out and add a view")
        }
        return lines.joined(separator: "\n")
    }

    private var rect: CGRect? {
        guard let frame, frame.count == 4, frame.allSatisfy({ abs($0) < 1e6 }), frame[2] > 0, frame[3] > 0 else {
            return nil
        }
        return CGRect(x: frame[0], y: frame[1], width: frame[2], height: frame[3])
    }
}
