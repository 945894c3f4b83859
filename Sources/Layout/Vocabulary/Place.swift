/// Where a word may stand. Each mapping is read at one place.
nonisolated struct Place: OptionSet, Sendable {
    let rawValue: UInt8

    /// The layout's own file, not one that it includes.
    static let mainFile = Place(rawValue: 1)
    /// A file: a page, a subview, a handler.
    static let inside = Place(rawValue: 2)
    /// A view in front of every page.
    static let everyPage = Place(rawValue: 4)
    /// A view that a program publishes.
    static let published = Place(rawValue: 8)
    /// `defaults:`; no word is required there.
    static let defaults = Place(rawValue: 16)

    static let files: Place = [.mainFile, .inside, .everyPage]
    static let views: Place = [.inside, .everyPage, .published]
    static let everywhere: Place = [.mainFile, .inside, .everyPage, .published, .defaults]
    static let single: [Place] = [.mainFile, .inside, .everyPage, .published, .defaults]
}
