/// The state of reading one mapping, or of describing one section.
nonisolated final class SectionVisit {
    /// The mapping; nil while a section is described.
    var node: Node?
    /// The name of the mapping in messages; nil for that of its word.
    var name: String?
    var table: Table?
    var scope = WordScope.inside
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

    /// The scope of the mappings in this one.
    var scopeInside: WordScope { scope == .mainFile || scope == .everyPage ? .inside : scope }

    /// The name of the word in messages.
    var what: String { called ?? table?.quoted[given[index - 1].position] ?? "" }

    /// Whether the table has a word at a position; only debug builds ask.
    func isWord(_ name: String, at position: Int) -> Bool {
        guard let words = table?.words else { return true }
        return position < words.count && words[position].name == name
    }

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
