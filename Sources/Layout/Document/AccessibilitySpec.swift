import Foundation

/// `accessibility:`, the talking mode.
package nonisolated struct AccessibilitySpec: Sendable, Equatable {
    /// The time in which somebody who is warned can ask for more, in seconds (WCAG 2.2.1).
    static let warningTime: TimeInterval = 20

    /// `language:`, the language of labels at the start; nil for the first of each.
    package var language: String?
    /// `screen:`, the screen that has the mode; nil for the first.
    package var screen: String?
    package var start = Start()
    package var end = End()

    /// `start:`, what starts the mode.
    package struct Start: Sendable, Equatable {
        /// How long a finger must rest anywhere, in seconds; nil, the default, for never.
        package var hold: TimeInterval?
        /// The key that also ends the mode, by its kernel name; nil, the default, for none.
        package var key: String?
        /// Whether headphones that are plugged in start the mode, and end it when they are pulled out.
        package var headphones = false
    }

    /// `end:`, what ends the mode.
    package struct End: Sendable, Equatable {
        /// The time without a finger or key, in seconds.
        package var idle: TimeInterval = 60
    }
}

/// `label:`, what a view is, for somebody who does not see it.
package nonisolated struct LabelSpec: Sendable, Equatable {
    /// The texts by language; the key of a text for all languages is empty.
    package var texts: [String: String]
    /// The first language in the file.
    package var firstLanguage = ""

    /// Whether a text is the tag of a language (BCP 47), as `de` or `pt-BR`.
    static func isLanguage(_ tag: String) -> Bool { tag.wholeMatch(of: /[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*/) != nil }

    /// The text in a language, or else in the first one.
    package func text(in language: String?) -> String? { texts[self.language(in: language) ?? ""] }

    /// The language of that text; nil for a text for all languages.
    package func language(in language: String?) -> String? {
        if texts[""] != nil { return nil }
        return language.flatMap { texts[$0] == nil ? nil : $0 } ?? firstLanguage
    }
}
