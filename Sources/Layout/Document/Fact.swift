/// A fact about an event, by the name that a layout's templates use.
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

    /// What a fact contains, which decides where it may stand in the command of a program.
    enum Kind {
        /// A number, which may stand everywhere.
        case number
        /// A name of a part of the layout, or a word of touchd, which may stand in arguments, but not in code.
        case name
        /// A text from outside, which no argument may contain.
        case text
    }

    /// The kind of the fact.
    var kind: Kind {
        switch self {
        case .device: .text
        case .trigger, .handler, .phase, .view, .page, .screen, .gesture: .name
        case .touch, .x, .y, .time, .scale, .rotation, .translationX, .translationY, .velocityX, .velocityY: .number
        }
    }

    /// The environment variable of a handler's argument: `TOUCHD_WITH_DIGIT`.
    package static func variable(ofArgument name: String) -> String {
        "TOUCHD_WITH_" + String(name.uppercased().map { $0 == "-" ? "_" : $0 })
    }

    /// The error of a text from outside in a program's argument.
    static func refusal(ofArgument name: String) -> String {
        let variable = Fact(rawValue: name)?.fieldName ?? variable(ofArgument: name)
        return "{\(name)} may be a text from outside, which is not allowed in an argument of a program; let the "
            + "program read $\(variable), or give it the text on standard input: "
            + "exec: {command: […], input: \"{\(name)}\"}"
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
