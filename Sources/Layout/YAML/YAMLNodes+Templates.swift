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
