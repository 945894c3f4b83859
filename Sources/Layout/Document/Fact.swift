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
