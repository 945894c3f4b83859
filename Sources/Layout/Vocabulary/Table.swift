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
    /// The sections in its value.
    var sections: [Table] = []
}

/// The words of a section.
nonisolated final class Table: Sendable {
    /// The name of the section in `touchd help` and in the schema, such as `journal`.
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

/// The state of reading one mapping, or of describing one section.
nonisolated final class Visit {
    /// The mapping; nil while a section is described.
    var node: Node?
    /// The name of the mapping in messages; nil for that of its word.
    var name: String?
    var table: Table?
    var place = Place.inside
    /// The given words by position, in ascending order.
    var given: [(position: Int, value: Node, isInherited: Bool)] = []
    /// The number of words from `defaults:` among them.
    var inherited = 0
    /// The index of the next given word.
    var index = 0
    /// The value of the word that is read, and the word's name in messages if it is not `'NAME'`.
    var value: Node?
    var called: String?
    /// Whether a given word has an invalid value, a required one is missing, or a rule refused the section.
    var hasFailed = false
    var hasUnknownKeys = false
    /// The described words.
    var words: [Word] = []

    /// The word that is described.
    var described: Word {
        get { words[words.count - 1] }
        set { words[words.count - 1] = newValue }
    }

    /// The place of the mappings in this one.
    var placeInside: Place { place == .mainFile || place == .everyPage ? .inside : place }

    /// The name of the word in messages.
    var what: String { called ?? table?.quoted[given[index - 1].position] ?? "" }

    /// The word whose value a node is, for messages.
    func word(of node: Node) -> Word? {
        let given = given.last { $0.value.index == node.index && $0.value.tree === node.tree }
        return given.flatMap { table?.words[$0.position] }
    }

    /// Adds a given word in the order of positions; mappings have few words, mostly in this order.
    func add(_ position: Int, _ value: Node, isInherited: Bool = false) {
        var index = given.count
        while index > 0, given[index - 1].position > position { index -= 1 }
        if index == given.count {
            given.append((position, value, isInherited))
        } else {
            given.insert((position, value, isInherited), at: index)
        }
    }

    /// Prepares for another mapping, and releases the tree of this one.
    func end() {
        given.removeAll(keepingCapacity: true)
        (node, value, name, table, called) = (nil, nil, nil, nil, nil)
        (hasFailed, hasUnknownKeys, inherited) = (false, false, 0)
    }
}

/// A JSON value whose members keep their order.
package nonisolated indirect enum JSON: Sendable, ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral,
    ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral
{
    case object([(String, JSON)]), list([JSON]), text(String), number(Double), int(Int), bool(Bool)

    package init(dictionaryLiteral members: (String, JSON)...) { self = .object(members) }
    package init(arrayLiteral items: JSON...) { self = .list(items) }
    package init(stringLiteral text: String) { self = .text(text) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(integerLiteral value: Int) { self = .int(value) }
    package init(floatLiteral value: Double) { self = .number(value) }

    /// The text, indented by two spaces for each level; a list or object that fits into a line is one line.
    package func text(indent: Int = 0) -> String {
        switch self {
        case .text(let text): return Self.quoted(text)
        case .number(let number): return Int(exactly: number).map(String.init) ?? "\(number)"
        case .int(let number): return String(number)
        case .bool(let value): return value ? "true" : "false"
        case .list(let items): return lines(items.map { $0.text(indent: indent + 2) }, "[", "]", indent)
        case .object(let members):
            return lines(members.map { "\(Self.quoted($0)): \($1.text(indent: indent + 2))" }, "{", "}", indent)
        }
    }

    private func lines(_ parts: [String], _ opening: String, _ closing: String, _ indent: Int) -> String {
        let line = opening + parts.joined(separator: ", ") + closing
        if line.count + indent <= 100, !line.contains("\n") { return line }
        let space = String(repeating: " ", count: indent)
        return "\(opening)\n\(space)  " + parts.joined(separator: ",\n\(space)  ") + "\n\(space)\(closing)"
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    /// The object's members.
    package var members: [(String, JSON)] { if case .object(let members) = self { members } else { [] } }

    /// The object with more members after its own.
    package func with(_ more: [(String, JSON)]) -> JSON { .object(members + more) }

    /// The value with other names of definitions.
    func naming(_ name: (String) -> String) -> JSON {
        switch self {
        case .list(let items): .list(items.map { $0.naming(name) })
        case .object(let members):
            .object(
                members.map { key, value in
                    guard key == "$ref", case .text(let text) = value else { return (key, value.naming(name)) }
                    return (key, .text(Self.start + name(String(text.dropFirst(Self.start.count)))))
                })
        default: self
        }
    }

    private static let start = "#/$defs/"
}
