nonisolated extension YAMLNodes {
    /// A text with placeholders; a grid's facts are filled in.
    mutating func template(_ node: Node, _ what: @autoclosure () -> String) -> Template? {
        rawString(node, what()).flatMap { template($0, at: node, what()) }
    }

    /// Parses a text; `{{` and `}}` are literal braces.
    mutating func template(_ text: String, at node: Node, _ what: @autoclosure () -> String) -> Template? {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }) else {
            return Template(verbatim: text)
        }
        var segments: [Template.Segment] = []
        var literal = ""
        var rest = text[...]
        while let character = rest.popFirst() {
            if (character == "{" || character == "}"), rest.first == character {
                rest.removeFirst()
                literal.append(character)
            } else if character == "{" {
                guard let end = rest.firstIndex(of: "}") else {
                    note(at: node, "\(what()) has a '{' without a '}' after it; write {{ for the brace itself")
                    return nil
                }
                let name = String(rest[..<end])
                rest = rest[rest.index(after: end)...]
                if let value = GridCell.fact(name, of: cells) {
                    guard charge(node, bytes: value.utf8.count, steps: 1) else { return nil }
                    literal += value
                } else {
                    if !literal.isEmpty { segments.append(.text(literal)) }
                    literal = ""
                    segments.append(.fact(name))
                    guard
                        charge(
                            node, bytes: 2 * MemoryLayout<Template.Segment>.stride, steps: 1)
                    else { return nil }
                }
            } else if character == "}" {
                note(at: node, "\(what()) has a '}' without a '{' before it; write }} for the brace itself")
                return nil
            } else {
                literal.append(character)
            }
        }
        if segments.isEmpty { return Template(verbatim: literal) }
        if !literal.isEmpty { segments.append(.text(literal)) }
        return Template(segments: segments)
    }
}

/// A cell of a grid, for the facts `{row}`, `{column}`, `{index}` and `{cell}`.
nonisolated struct GridCell {
    var row: Int
    var column: Int
    var index: Int
    var name: String

    /// The fact with a name: of the innermost grid, or with each `outer-` prefix, of the next grid around it; nil if
    /// there is no such grid.
    static func fact(_ name: String, of cells: [GridCell]) -> String? {
        var name = name[...]
        var level = cells.count - 1
        while name.hasPrefix("outer-") {
            name = name.dropFirst("outer-".count)
            level -= 1
        }
        guard level >= 0 else { return nil }
        switch name {
        case "row": return String(cells[level].row)
        case "column": return String(cells[level].column)
        case "index": return String(cells[level].index)
        case "cell": return cells[level].name
        default: return nil
        }
    }

    /// The names of all facts, for at most two grids.
    static func factNames(depth: Int) -> [String] {
        let names = ["cell", "column", "index", "row"]
        return depth > 1 ? names + names.map { "outer-" + $0 } : names
    }
}
