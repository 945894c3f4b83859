import Glibc

/// A text that may contain shell wildcards: `*`, `?` and `[…]` (glob(7)).
///
/// Without a wildcard it matches only the same text.
public struct Pattern: Sendable, Equatable, ExpressibleByStringLiteral {
    /// The text as written.
    public var text: String

    /// Creates a pattern from a text.
    public init(_ text: String) { self.text = text }

    /// Creates a pattern from a text.
    public init(stringLiteral text: String) { self.text = text }

    /// Whether the whole text matches; `*` also matches slashes.
    package func matches(_ candidate: String) -> Bool { fnmatch(text, candidate, 0) == 0 }
}
