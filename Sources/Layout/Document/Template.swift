/// A text with places for facts: `touched {view} at {x}`.
///
/// A fact is put in as it is and never read again, so what a fact contains cannot become a place, a word of a command or
/// a line of its own. `{{` and `}}` stand for the braces themselves.
public nonisolated struct Template: Sendable, Equatable {
    /// The facts that an occasion may have; arguments given by `with:` are facts too.
    public static let occasionFacts: Set<String> = [
        "trigger", "handler", "touch", "phase", "view", "page", "screen", "x", "y", "device", "time", "gesture",
        "scale", "rotation", "translation-x", "translation-y", "velocity-x", "velocity-y",
    ]

    /// Whether a name can be an argument's: letters, digits, '-' and '_', 64 at most.
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
    public enum Segment: Sendable, Equatable {
        /// Text that stays as it is.
        case text(String)
        /// The fact of this name.
        case fact(String)
    }

    /// Most are a text without places, for which there is no list.
    private enum Form: Equatable {
        case text(String)
        case parts([Segment])
    }

    private var form: Form

    /// Makes a template of its parts.
    public init(segments: [Segment]) { form = .parts(segments) }

    /// A text without places.
    public init(verbatim text: String) { form = .text(text) }

    /// The parts in their order; no two neighbours are texts.
    public var segments: [Segment] {
        switch form {
        case .text(let text): text.isEmpty ? [] : [.text(text)]
        case .parts(let parts): parts
        }
    }

    /// The names of the facts it needs.
    public var factNames: [String] {
        segments.compactMap { if case .fact(let name) = $0 { name } else { nil } }
    }

    /// The text with every fact in its place; a fact that the occasion does not have is nothing.
    public func filled(by fact: (String) -> String?) -> String {
        if case .text(let text) = form { return text }
        return segments.map { segment in
            switch segment {
            case .text(let text): text
            case .fact(let name): fact(name) ?? ""
            }
        }
        .joined()
    }
}
