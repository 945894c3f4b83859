/// A mapping of the layout whose keys are words: `journal:`, a view, the parameters of a swipe.
///
/// One function names the words, in the order in which they are read and documented. It runs once to describe them, for
/// unknown keys, the schema, `touchd help` and the reference; and once for each mapping, to read it into the section's
/// properties. A word's default is the property's initial value. Rules between words are ordinary code after them.
///
/// Every call names all words in the same order, because a word is found by its position: an `if` around a word traps in
/// a debug build, with the word's name.
nonisolated protocol Section: SendableMetatype {
    /// The section's words; `static let table = Table("NAME", Self(), …)`.
    static var table: Table { get }
    /// Names the words.
    mutating func words(_ r: inout LayoutReader)
}

nonisolated extension Table {
    /// A table of the words of a section, whose values are the defaults.
    convenience init(
        _ key: String, _ section: some Section, _ sentence: String, short: String? = nil, isNullable: Bool = false,
        isQualified: Bool = false, rules: KeyValuePairs<String, JSONSchema> = [:]
    ) {
        self.init(
            key, sentence, words: Self.words(of: section), short: short, isNullable: isNullable,
            isQualified: isQualified, rules: rules)
    }

    /// The words of a section, whose defaults are its values.
    static func words(of section: some Section) -> [Word] {
        var (reader, section) = (LayoutReader(), section)
        reader.at = SectionVisit()
        reader.isDescribing = true
        section.words(&reader)
        return reader.at.words
    }
}

nonisolated extension LayoutReader {
    // MARK: Words

    /// A word: its name, its property, its sentence, and its type.
    ///
    /// - Parameters:
    ///   - called: Its name in messages, if it is not `'NAME'`.
    ///   - unset: The default in words, if the property's initial value does not show it.
    /// - Returns: The value, if it is given and valid.
    @discardableResult @inline(__always)
    mutating func word<Value: Sendable>(
        _ name: String, _ property: inout Value, _ sentence: String, called: String? = nil,
        in scope: WordScope = .everywhere, nullable: Bool = false, unset: String? = nil,
        _ read: (inout LayoutReader) -> Value?
    ) -> Value? {
        guard isNext(name) else { return nil }
        begin(name, sentence, called, scope, nullable)
        let value = read(&self)
        end(unset, property, isInvalid: value == nil)
        if let value { property = value }
        return value
    }

    /// A word whose property is optional.
    @discardableResult @inline(__always)
    mutating func word<Value: Sendable>(
        _ name: String, _ property: inout Value?, _ sentence: String, called: String? = nil,
        in scope: WordScope = .everywhere, nullable: Bool = false, unset: String? = nil,
        _ read: (inout LayoutReader) -> Value?
    ) -> Value? {
        guard isNext(name) else { return nil }
        begin(name, sentence, called, scope, nullable)
        let value = read(&self)
        end(unset, property, isInvalid: value == nil)
        if let value { property = value }
        return value
    }

    /// A word without a property, whose value an effect below uses.
    @inline(__always)
    mutating func word<Value>(
        _ name: String, _ sentence: String, called: String? = nil, in scope: WordScope = .everywhere,
        nullable: Bool = false, unset: String? = nil, _ read: (inout LayoutReader) -> Value?
    ) -> Value? {
        guard isNext(name) else { return nil }
        begin(name, sentence, called, scope, nullable)
        let value = read(&self)
        end(unset, (), isInvalid: value == nil)
        return value
    }

    /// A word whose value is a section with the same name and sentence.
    @inline(__always)
    mutating func word<S: Section>(_ section: S, in scope: WordScope = .everywhere) -> S? {
        guard isNext(S.table.key) else { return nil }
        begin(S.table.key, S.table.sentence, nil, scope, false)
        let value = self.section(section)
        end(nil, (), isInvalid: value == nil)
        return value
    }

    /// Makes the word before this call required; `hint` says what to add.
    ///
    /// - Parameters:
    ///   - owner: The name of the mapping in this message, if it has another one.
    ///   - unlessMisspelt: An unknown key may be this word, so the error about it is enough.
    mutating func require(_ hint: String, of owner: String? = nil, unlessMisspelt: Bool = false) {
        if isDescribing { return at.described.isRequired = true }
        guard let node = at.node, let table = at.table, !at.given.contains(where: { $0.position == position })
        else { return }
        at.hasFailed = true
        if unlessMisspelt, at.hasUnknownKeys { return }
        note(at: node, "\(owner ?? at.name ?? "") has no '\(table.words[position].name)'; \(hint)")
    }

    /// Whether the next word is given; most words are not.
    @inline(__always)
    private mutating func isNext(_ name: @autoclosure () -> String) -> Bool {
        position += 1
        assert(
            isDescribing || at.isWord(name(), at: position),
            "'\(at.table?.key ?? "")' does not always name '\(name())' in its place; is there an 'if' around a word?")
        return isDescribing || position == next
    }

    /// Begins to read, or to describe, a word's value.
    @inline(never)
    private mutating func begin(
        _ name: String, _ sentence: String, _ called: String?, _ scope: WordScope, _ nullable: Bool
    ) {
        if isDescribing {
            return at.words.append(Word(name: name, sentence: sentence, scope: scope, isNullable: nullable))
        }
        at.called = called
        at.value = at.given[at.index].value
        at.index += 1
        next = at.index < at.given.count ? at.given[at.index].position : .max
    }

    /// Ends what `begin` began; `fallback` is the property's initial value.
    @inline(__always)
    private mutating func end<Value: Sendable>(_ unset: String?, _ fallback: Value, isInvalid: Bool) {
        if isDescribing { return describe(unset, fallback) }
        if isInvalid { at.hasFailed = true }
    }

    @_semantics("optimize.sil.specialize.generic.never") @inline(never)
    private mutating func describe<Value: Sendable>(_ unset: String?, _ fallback: Value) {
        (at.described.unset, at.described.initial) = (unset, fallback)
    }

    // MARK: Rules

    /// Whether a mapping is read, and not only described.
    var isReading: Bool { !isDescribing }

    /// Whether a rule may be checked: a mapping is read, and all its words are valid.
    var canCheckRules: Bool { isReading && !at.hasFailed }

    /// Whether no further word is given, so that a long section can end early.
    var isFinished: Bool { next == .max && !isDescribing }

    /// Leaves out the words that follow.
    mutating func stop() { if !isDescribing { next = .max } }

    /// The value of a word that is given in this mapping itself, not in `defaults:`.
    func given(_ name: String) -> Node? {
        guard let table = at.table else { return nil }
        return at.given.first { !$0.isInherited && table.words[$0.position].name == name }?.value
    }

    /// Refuses the section, at a word or at the mapping.
    mutating func refuse(at name: String? = nil, _ message: @autoclosure () -> String) {
        at.hasFailed = true
        if let node = name.flatMap({ given($0) }) ?? at.node { note(at: node, message()) }
    }

    // MARK: Mappings

    /// Reads a mapping as a section; nil if it is no mapping.
    ///
    /// - Parameters:
    ///   - strictly: Nil also if a word is invalid.
    ///   - word: The position of the word that the node names, if it is a scalar.
    ///   - defaults: Words for those that the mapping does not have.
    mutating func section<S: Section>(
        _ section: S, at node: Node, called name: String, in scope: WordScope = .inside, strictly: Bool = false,
        naming word: Int? = nil, defaults: GivenWords = []
    ) -> S? {
        guard let visit = open(node, name, S.table, scope, naming: word, defaults) else { return nil }
        var section = section
        read(&section, visit)
        let isValid = !visit.hasFailed
        close(visit)
        return strictly && !isValid ? nil : section
    }

    /// Reads the words of an open mapping.
    mutating func read<S: Section>(_ section: inout S, _ visit: SectionVisit) {
        let outer = (at, position, next)
        at = visit
        visit.index = 0
        (position, next) = (-1, visit.given.first?.position ?? .max)
        section.words(&self)
        assert(
            next == .max || position == S.table.words.count - 1,
            "'\(S.table.key)' does not name all of its words each time")
        (at, position, next) = outer
    }

    /// A mapping's given words; reports unknown keys, with the most similar known one.
    mutating func open(
        _ node: Node, _ name: String, _ table: Table, _ scope: WordScope, naming word: Int? = nil,
        _ defaults: GivenWords = []
    ) -> SectionVisit? {
        let visit = depth < visits.count ? visits[depth] : SectionVisit()
        // The value of a word that a scalar names is that scalar, which has no mapping.
        let isMissing = table.isNullable && node.isScalar && (node.isNull || at.node?.isScalar == true)
        if !isMissing, let word = word ?? table.short, node.isScalar, !node.isNull {
            visit.add(word, node)
        } else if !isMissing {
            let positions = table.positions(at: scope)
            let nullable = scope == .defaults ? [] : table.nullable
            let hasUnknownKeys = words(node, name, keys: table.names(at: scope), nullable: nullable) {
                visit.add(positions[$0], $1)
            }
            guard let hasUnknownKeys else { return nil }
            visit.hasUnknownKeys = hasUnknownKeys
        }
        (visit.node, visit.name, visit.table, visit.scope) = (node, name, table, scope)
        for word in defaults where !visit.given.contains(where: { $0.position == word.position }) {
            visit.add(word.position, word.value, isInherited: true)
            visit.inherited += 1
        }
        if depth == visits.count { visits.append(visit) }
        depth += 1
        return visit
    }

    /// The words of a section in `defaults:`, read once, so that an error in them is reported even if nothing uses them.
    mutating func defaults<S: Section>(_ section: S, at node: Node, called name: String) -> GivenWords {
        guard let visit = open(node, name, S.table, .defaults) else { return [] }
        defer { close(visit) }
        var section = section
        read(&section, visit)
        return visit.given.map { ($0.position, $0.value) }
    }

    /// Ends a mapping that `open` began.
    mutating func close(_ visit: SectionVisit) {
        visit.end()
        depth -= 1
    }
}
