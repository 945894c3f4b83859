/// All sections, from the layout's file on, and their schema.
nonisolated package struct LayoutVocabulary: Sendable {
    /// The sections, in the order in which words mention them.
    let tables: [Table]
    /// The width of the help.
    package var columns = 80

    package init() {
        var (tables, names, index) = ([FileWords.table], Set([FileWords.table.key]), 0)
        while index < tables.count {
            tables += tables[index].words.flatMap(Self.sections).filter { names.insert($0.key).inserted }
            index += 1
        }
        self.tables = tables
    }

    /// The sections in a word's value.
    static func sections(in word: Word) -> [Table] {
        var found = word.sections
        _ = word.form.schema.naming { name in
            found += SharedType.byName[parts(of: name).name]?.sections() ?? []
            return name
        }
        return found
    }

    /// The names of variants for a scope; the other scopes have none.
    private static let suffixes: KeyValuePairs<String, WordScope> = [
        "-of-every-page": .everyPage, "-of-programs": .published, "-in-defaults": .defaults,
    ]

    /// A definition's name without the scope, and the scope.
    private static func parts(of name: String) -> (name: String, scope: WordScope?) {
        guard let suffix = suffixes.first(where: { name.hasSuffix($0.key) }) else { return (name, nil) }
        return (String(name.dropLast(suffix.key.count)), suffix.value)
    }

    private func definition(_ name: String, at scope: WordScope) -> JSONSchema? {
        SharedType.byName[name]?.schema ?? tables.first { $0.key == name }?.schema(at: scope)
    }

    /// The scope of a definition's parts: subviews of a view in front of every page are as inside of a page.
    private func scope(in name: String, at scope: WordScope) -> WordScope {
        guard let table = tables.first(where: { $0.key == name }) else { return scope }
        return scope == .everyPage && table.names(at: scope) != table.names(at: .inside) ? .inside : scope
    }

    /// Whether a definition is another one at a scope than inside of a page.
    private func isVariant(_ name: String, at scope: WordScope, _ seen: inout Set<String>) -> Bool {
        guard scope != .inside, seen.insert(name).inserted, let here = definition(name, at: scope) else { return false }
        if here.text() != definition(name, at: .inside)?.text() { return true }
        var isVariant = false
        _ = here.naming { part in
            if Self.parts(of: part).scope == nil {
                isVariant = isVariant || self.isVariant(part, at: self.scope(in: name, at: scope), &seen)
            }
            return part
        }
        return isVariant
    }

    /// The schema of layouts, for editors.
    package var schema: String {
        var definitions: [(String, JSONSchema)] = []
        var (names, needed): (Set<String>, [(name: String, scope: WordScope)]) = ([], [])
        func resolved(_ schema: JSONSchema, at scope: WordScope) -> JSONSchema {
            schema.naming { part in
                var (name, own) = Self.parts(of: part)
                var seen: Set<String> = []
                let scope = isVariant(name, at: own ?? scope, &seen) ? own ?? scope : .inside
                name += Self.suffixes.first { $0.value == scope }?.key ?? ""
                if names.insert(name).inserted { needed.append((name, scope)) }
                return name
            }
        }
        let root = tables[0]
        let whole = resolved(root.schema(at: .mainFile), at: .inside)
        // A file that a layout includes.
        definitions.append(("part", resolved(root.schema(at: .inside), at: .inside)))
        while let (variant, scope) = needed.first {
            needed.removeFirst()
            let name = Self.parts(of: variant).name
            guard let definition = definition(name, at: scope) else { continue }
            definitions.append((variant, resolved(definition, at: self.scope(in: name, at: scope))))
        }
        let start: JSONSchema = ["$schema": "https://json-schema.org/draft/2020-12/schema", "title": "touchd's layout"]
        return start.with(whole.members).with([("oneOf", [["required": ["screen"]], ["required": ["screens"]]])])
            .with([("$defs", .object(definitions))]).text() + "\n"
    }
}
