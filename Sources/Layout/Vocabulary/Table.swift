/// The words of a section.
nonisolated final class Table: Sendable {
    /// The name of the section in `touchd help` and in the schema, such as `journal`.
    let key: String
    let sentence: String
    /// The rules of the schema for several words together.
    let rules: KeyValuePairs<String, JSONSchema>
    let words: [Word]
    /// For each single scope, the names of its words, and their positions among all words.
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

    /// A table of words that no section reads.
    init(
        _ key: String, _ sentence: String, words: [Word], short: String? = nil, isNullable: Bool = false,
        isQualified: Bool = false, rules: KeyValuePairs<String, JSONSchema> = [:]
    ) {
        self.key = key
        self.sentence = sentence
        self.rules = rules
        self.words = words
        positions = WordScope.single.map { scope in words.indices.filter { words[$0].scope.contains(scope) } }
        names = positions.map { $0.map { words[$0].name } }
        nullable = words.filter(\.isNullable).map(\.name)
        self.short = short.flatMap { name in words.firstIndex { $0.name == name } }
        self.isNullable = isNullable
        self.isQualified = isQualified
        quoted = words.map { "'\($0.name)'" + (isQualified ? " of '\(key)'" : "") }
    }

    func names(at scope: WordScope) -> [String] { names[scope.rawValue.trailingZeroBitCount] }
    func positions(at scope: WordScope) -> [Int] { positions[scope.rawValue.trailingZeroBitCount] }
}
