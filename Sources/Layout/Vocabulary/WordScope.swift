/// Where a word may stand. Each mapping is read in one scope.
nonisolated struct WordScope: OptionSet, Sendable {
    let rawValue: UInt8

    /// The layout's own file, not one that it includes.
    static let mainFile = WordScope(rawValue: 1)
    /// A file: a page, a subview, a handler.
    static let inside = WordScope(rawValue: 2)
    /// A view in front of every page.
    static let everyPage = WordScope(rawValue: 4)
    /// A view that a program publishes.
    static let published = WordScope(rawValue: 8)
    /// `defaults:`; no word is required there.
    static let defaults = WordScope(rawValue: 16)

    static let files: WordScope = [.mainFile, .inside, .everyPage]
    static let views: WordScope = [.inside, .everyPage, .published]
    static let everywhere: WordScope = [.mainFile, .inside, .everyPage, .published, .defaults]
    static let single: [WordScope] = [.mainFile, .inside, .everyPage, .published, .defaults]
}
