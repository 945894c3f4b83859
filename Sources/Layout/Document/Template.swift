/// A text with placeholders for facts: `touched {view} at {x}`.
///
/// A fact is inserted verbatim and not parsed, so its content cannot become a placeholder, an argument of a command or
/// a separate line. `{{` and `}}` are literal braces.
package nonisolated struct Template: Sendable, Equatable {
    /// Whether a name is valid for an argument: at most 64 letters, digits, '-' and '_'.
    static func isFactName(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy {
                switch $0 {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    /// A part of a template.
    package enum Segment: Sendable, Equatable {
        /// Literal text.
        case text(String)
        /// The placeholder of a fact.
        case fact(String)
    }

    /// Most templates have no placeholders and need no array of parts.
    private enum Content: Equatable {
        case text(String)
        case parts([Segment])
    }

    private var content: Content

    /// Makes a template from its parts.
    package init(segments: [Segment]) { content = .parts(segments) }

    /// Makes a template without placeholders.
    package init(verbatim text: String) { content = .text(text) }

    /// The parts in order; adjacent parts are never both text.
    package var segments: [Segment] {
        switch content {
        case .text(let text): text.isEmpty ? [] : [.text(text)]
        case .parts(let parts): parts
        }
    }

    /// The names of the facts in it.
    package var factNames: [String] {
        segments.compactMap { if case .fact(let name) = $0 { name } else { nil } }
    }

    /// Whether its text contains a NUL character, which would end a program's argument or variable.
    var hasNUL: Bool {
        segments.contains { if case .text(let text) = $0 { text.utf8.contains(0) } else { false } }
    }

    /// The text with all facts inserted; a fact that the event does not have is empty.
    package func filled(by fact: (String) -> String?) -> String {
        if case .text(let text) = content { return text }
        return segments.map { segment in
            switch segment {
            case .text(let text): text
            case .fact(let name): fact(name) ?? ""
            }
        }
        .joined()
    }
}
