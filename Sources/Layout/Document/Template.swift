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

/// A fact about an occasion, by the name that a layout's templates use.
package nonisolated enum Fact: String, CaseIterable, Sendable {
    case trigger, handler, touch, phase, view, page, screen, x, y, device, time, gesture, scale, rotation
    case translationX = "translation-x", translationY = "translation-y"
    case velocityX = "velocity-x", velocityY = "velocity-y"

    /// The fact in a sentence, for help and reference.
    var meaning: String {
        switch self {
        case .trigger: "The trigger, as in 'on'."
        case .handler: "The handler that runs."
        case .touch: "The touch's number, counted from 1 in the order in which touches began."
        case .phase: "The touch's phase: began, moved, ended or cancelled."
        case .view: "The nearest view with an id; in a private view the outermost private one."
        case .page: "The page that the view is on."
        case .screen: "The screen's name, in a layout with several screens."
        case .x, .y: "The position in points of the screen."
        case .device: "The kernel's name of the device."
        case .time: "Seconds on the kernel's monotonic clock, or on the recording's."
        case .gesture: "The gesture's id, or its kind if it has no id; in a private view its kind."
        case .scale: "The distance of a pinch's two fingers, relative to the distance when they landed."
        case .rotation: "The angle of a rotation in radians, clockwise."
        case .translationX, .translationY: "The movement of a pan since its fingers landed, in points."
        case .velocityX, .velocityY: "The velocity of a pan, in points per second."
        }
    }

    /// The name of the journal field and of the environment variable: `TOUCHD_TRANSLATION_X`.
    package var fieldName: String { "TOUCHD_" + String(rawValue.uppercased().map { $0 == "-" ? "_" : $0 }) }

    /// Whether the fact reveals where or how something was touched. Such facts are never reported for a private view.
    package var isOfPlace: Bool {
        switch self {
        case .x, .y, .scale, .rotation, .translationX, .translationY, .velocityX, .velocityY: true
        default: false
        }
    }

    /// The names of all facts.
    static let names = Set(allCases.map(\.rawValue))
}
