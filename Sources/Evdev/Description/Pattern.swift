import Glibc

/// A text that may hold the wildcards of a shell: `*`, `?` and `[…]` (glob(7)).
///
/// Without a wildcard only the same text matches.
public struct Pattern: Sendable, Equatable, ExpressibleByStringLiteral {
    /// The text as it was written.
    public var text: String

    /// Makes a pattern of a text.
    public init(_ text: String) { self.text = text }

    /// Makes a pattern of a text.
    public init(stringLiteral text: String) { self.text = text }

    /// Whether a whole text is like this; `*` also stands for slashes.
    public func matches(_ candidate: String) -> Bool { fnmatch(text, candidate, 0) == 0 }
}
