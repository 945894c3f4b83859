import Foundation

/// What can be known of an occasion, by the names that a layout's templates use.
public nonisolated enum Fact: String, CaseIterable, Sendable {
    /// What happened, as `on:` has it.
    case trigger
    /// The handler that is running.
    case handler
    /// Which touch: counted from 1 in the order in which touches began.
    case touch
    /// What the touch did.
    case phase
    /// The nearest named view at or above the one that is meant.
    case view
    /// The page that the screen shows.
    case page
    /// The screen it is on; only in a layout of several.
    case screen
    /// Where it was, in points of its window.
    case x, y
    /// The device's name.
    case device
    /// When it happened: seconds on the kernel's monotonic clock, or on a recording's.
    case time
    /// The gesture: the id it has in the layout, or else its kind; in a private view always that.
    case gesture
    /// How far two fingers were spread, where 1 is as they came down.
    case scale
    /// How far two fingers were turned, in radians, clockwise.
    case rotation
    /// How far the fingers went, in points of the gesture's view.
    case translationX = "translation-x", translationY = "translation-y"
    /// How fast they go, in points of that view a second.
    case velocityX = "velocity-x", velocityY = "velocity-y"

    /// The name of the journal's field and of the environment variable: `TOUCHD_TRANSLATION_X`.
    public var fieldName: String { "TOUCHD_" + String(rawValue.uppercased().map { $0 == "-" ? "_" : $0 }) }

    /// Whether it tells where something was touched, or how, and so is never told of a private view.
    var isOfPlace: Bool {
        switch self {
        case .x, .y, .scale, .rotation, .translationX, .translationY, .velocityX, .velocityY: true
        default: false
        }
    }
}

/// A fact's value, which is written in one way for people and in another for JSON.
public nonisolated enum FactValue: Equatable {
    /// A name or a word.
    case text(String)
    /// A count.
    case integer(Int)
    /// A measure; it is written to the hundredth, finer than any panel, and short enough to read.
    case measure(Double)
    /// A moment in seconds; it is written with the microseconds that the kernel gives, never in powers of ten.
    case moment(Double)

    /// The value as templates, fields and environment variables have it.
    public var text: String {
        switch self {
        case .text(let text): text
        case .integer(let number): "\(number)"
        case .measure(let number): number.isFinite ? "\((number * 100).rounded() / 100)" : ""
        case .moment(let seconds): seconds.isFinite ? String(format: "%.6f", seconds) : ""
        }
    }

    /// The value as JSON has it (RFC 8259).
    public var json: String {
        switch self {
        case .text(let text): JSONText.quoted(text)
        case .integer, .measure, .moment: text.isEmpty ? "null" : text
        }
    }
}
