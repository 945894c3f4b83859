/// A mapping of the layout whose keys are words: `journal:`, a view, the parameters of a swipe.
///
/// One function names the words, in the order in which they are read and documented. It runs once to describe them, for
/// unknown keys, the schema, `touchd help` and the reference; and once for each mapping, to read it into the section's
/// properties. A word's default is the property's initial value. Rules between words are ordinary code after them.
///
/// Every call names all words in the same order, because a word is found by its position: an `if` around a word is an
/// error that `VocabularyTests` finds.
nonisolated protocol Section: SendableMetatype {
    /// The section's words; `static let table = Table(Self(), …)`.
    static var table: Table { get }
    /// The name of the section in `touchd help` and in the schema, such as `journal`.
    static var key: String { get }
    /// Names the words.
    mutating func words(_ r: inout LayoutReader)
}

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

/// A word as it is described.
nonisolated struct Word: Sendable {
    /// The key.
    var name: String
    /// Its meaning, in one or two sentences.
    var sentence: String
    /// The places where it may stand.
    var place: Place
    /// Whether the section is invalid without it.
    var isRequired = false
    /// Whether it may stand without a value.
    var isNullable = false
    /// The expected value, for people: `a whole number from 0 to 1000`.
    var form = ""
    /// The expected value, for editors.
    var schema = JSON.object([])
    /// The default in words, and the property's initial value, which is written as text only where it is read.
    var unset: String?, initial: any Sendable = ()
    /// The default; nil for a word without one.
    var fallback: String? { unset ?? Form.text(of: initial, as: form) }
    /// The sections in its value. They are closures, because sections contain each other.
    var sections: [@Sendable () -> Table] = []
}

/// The words of a section.
nonisolated final class Table: Sendable {
    let key: String
    let sentence: String
    /// The rules of the schema for several words together.
    let rules: KeyValuePairs<String, JSON>
    let words: [Word]
    /// For each single place, the names of its words, and their positions among all words.
    private let names: [[String]], positions: [[Int]]
    /// The names of words that may stand without a value.
    let nullable: [String]
    /// The position of the word whose value may stand for the whole mapping: `swipe: left`.
    let short: Int?
    /// Whether the mapping may be missing: `tap:`.
    let isNullable: Bool
    /// Whether messages name the section too: `'taps' of 'tap'`.
    let isQualified: Bool
    /// The names of words in messages.
    let quoted: [String]

    convenience init<S: Section>(
        _ section: S, _ sentence: String, short: String? = nil, isNullable: Bool = false,
        isQualified: Bool = false, rules: KeyValuePairs<String, JSON> = [:]
    ) {
        self.init(
            S.key, sentence, words: Self.words(of: section), short: short, isNullable: isNullable,
            isQualified: isQualified, rules: rules)
    }

    /// The words of a section, whose defaults are its values.
    static func words<S: Section>(of section: S) -> [Word] {
        var (reader, section) = (LayoutReader(), section)
        reader.at = Visit()
        reader.isDescribing = true
        section.words(&reader)
        return reader.at.words
    }

    /// A table of words that no section reads.
    init(
        _ key: String, _ sentence: String, words: [Word], short: String? = nil, isNullable: Bool = false,
        isQualified: Bool = false, rules: KeyValuePairs<String, JSON> = [:]
    ) {
        self.key = key
        self.sentence = sentence
        self.rules = rules
        self.words = words
        positions = Place.single.map { place in words.indices.filter { words[$0].place.contains(place) } }
        names = positions.map { $0.map { words[$0].name } }
        nullable = words.filter(\.isNullable).map(\.name)
        self.short = short.flatMap { name in words.firstIndex { $0.name == name } }
        self.isNullable = isNullable
        self.isQualified = isQualified
        quoted = words.map { "'\($0.name)'" + (isQualified ? " of '\(key)'" : "") }
    }

    func names(at place: Place) -> [String] { names[place.rawValue.trailingZeroBitCount] }
    func positions(at place: Place) -> [Int] { positions[place.rawValue.trailingZeroBitCount] }
}
