import Foundation

/// A fact about an occasion, by the name that a layout's templates use.
package nonisolated enum Fact: String, CaseIterable, Sendable {
    /// The trigger, by its key in `on:`.
    case trigger
    /// The handler that is running.
    case handler
    /// The number of the touch, counted from 1 in the order in which touches began.
    case touch
    /// The phase of the touch.
    case phase
    /// The name of the view, or of its nearest named superview.
    case view
    /// The page that the screen shows.
    case page
    /// The screen; only in a layout with several screens.
    case screen
    /// The position in points of its window.
    case x, y
    /// The device's name.
    case device
    /// The time in seconds, on the kernel's monotonic clock or on a recording's clock.
    case time
    /// The gesture: its id in the layout, or its kind if it has no id; in a private view always its kind.
    case gesture
    /// The distance of two fingers relative to the distance when they came down.
    case scale
    /// The rotation of two fingers, in radians, clockwise.
    case rotation
    /// The translation of the fingers, in points of the gesture's view.
    case translationX = "translation-x", translationY = "translation-y"
    /// The velocity of the fingers, in points of the gesture's view per second.
    case velocityX = "velocity-x", velocityY = "velocity-y"

    /// The name of the journal field and of the environment variable: `TOUCHD_TRANSLATION_X`.
    package var fieldName: String { "TOUCHD_" + String(rawValue.uppercased().map { $0 == "-" ? "_" : $0 }) }

    /// Whether the fact reveals where or how something was touched. Such facts are never reported for a private view.
    var isOfPlace: Bool {
        switch self {
        case .x, .y, .scale, .rotation, .translationX, .translationY, .velocityX, .velocityY: true
        default: false
        }
    }
}

/// The value of a fact, with one text form for people and one for JSON.
package nonisolated enum FactValue: Equatable {
    /// A name or a word.
    case text(String)
    /// A count.
    case integer(Int)
    /// A measure, written with two decimals: finer than any panel's resolution, and short enough to read.
    case measure(Double)
    /// A measure of a gesture at full precision: a program scales a picture of thousands of points with it.
    case exact(Double)
    /// A time in seconds, written with the kernel's microseconds and without an exponent.
    case moment(Double)

    /// The value in templates, fields and environment variables.
    package var text: String {
        switch self {
        case .text(let text): text
        case .integer(let number): "\(number)"
        case .measure(let number): number.isFinite ? JSONText.hundredths(number) : ""
        case .exact(let number): number.isFinite ? "\(number)" : ""
        case .moment(let seconds): seconds.isFinite ? String(format: "%.6f", seconds) : ""
        }
    }

    /// The value in JSON (RFC 8259).
    package var json: String {
        switch self {
        case .text(let text): JSONText.quoted(text)
        case .integer, .measure, .exact, .moment: text.isEmpty ? "null" : text
        }
    }
}
