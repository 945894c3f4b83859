import Basics
import ControlProtocol
import Foundation

nonisolated extension LayoutVocabulary {
    /// The sections with their sentences.
    package var sections: String { list(tables.map { ($0.key, $0.sentence) }) }

    /// The words and sections with a name, such as `slop`, or a path, such as `gestures.long-press`; nil if there are
    /// none.
    package func help(_ path: String) -> String? {
        let parts = path.split(separator: ".").map(String.init)
        guard let name = parts.last else { return nil }
        let owners = parts.dropLast().last.map { owner in
            let words = tables.flatMap(\.words).filter { $0.name == owner }
            let inside = words.flatMap(Self.sections).map(\.key)
            return tables.filter { $0.key == owner || inside.contains($0.key) }
        }
        var texts: [String] = []
        var explained: Set<String> = []
        for table in owners ?? tables {
            for word in table.words where word.name == name {
                // Gestures of all kinds have the same keys inside, which are explained once.
                let inside = Self.sections(in: word).filter { explained.insert($0.key).inserted }
                let title = table === tables[0] ? name : "\(table.key).\(name)"
                texts.append(([text(of: word, title)] + inside.map { text(of: $0, after: word) }).joined())
            }
        }
        if owners == nil, let table = tables.first(where: { $0.key == name && !explained.contains(name) }) {
            texts.append(text(of: table))
        }
        return texts.isEmpty ? nil : texts.joined(separator: "\n")
    }

    /// The reference's table, in Markdown, of a section, or of the keys with a name; nil for an unknown name.
    package func markdown(_ name: String) -> String? {
        let section = tables.first { $0.key == name && !$0.words.isEmpty }
        let words = section?.words ?? tables.flatMap(\.words).filter { $0.name == name }
        let rows = words.map { word in
            let form = word.form.text(remarks: true) { $0.words.count > 9 ? "a mapping" : $0.form() }
                .replacing(/{[^}]*}|\[[^\]]*\]/) { "`\($0.output)`" }
            let text = word.explained.replacing(/([ (]|^)'([^']+)'/) { "\($0.output.1)`\($0.output.2)`" }
            return "| `\(word.name)` | \(form) | \(text) |\n"
        }
        return rows.isEmpty ? nil : "| key | value | meaning |\n|---|---|---|\n\(rows.joined())"
    }

    /// For completion: the names of sections and keys, or after a point the keys with their sections.
    package func names(for start: String) -> [String] {
        guard start.contains(".") else { return Set(tables.flatMap { [$0.key] + $0.words.map(\.name) }).sorted() }
        return tables.flatMap { table in table.words.map { "\(table.key).\($0.name)" } }
    }

    /// Which key, section or other name may be meant: `; did you mean 'slop'?`
    package func suggestion(for path: String, among others: [String]) -> String {
        var nearest = NearestName()
        let names = tables.flatMap { [$0.key] + $0.words.map(\.name) }
        return nearest.suggestion(for: path.split(separator: ".").last.map(String.init) ?? path, among: others + names)
    }

    private func text(of word: Word, _ title: String) -> String {
        let fallback = word.fallback.map { " Default: \($0)." } ?? ""
        let facts = "Value: \(word.form.text(remarks: true)).\(word.isRequired ? " Required." : "")\(fallback)"
        return title + "\n" + wrapped("  ", word.sentence, 2) + wrapped("  ", facts, 2)
    }

    private func text(of table: Table, after word: Word? = nil) -> String {
        let words = table.words.map { ($0.name, $0.explained) }
        let title = word?.sentence == table.sentence ? "" : wrapped("\(table.key): ", table.sentence, 2)
        return title + list(words)
    }

    private func list(_ items: [(name: String, text: String)]) -> String {
        let width = items.map(\.name.count).max() ?? 0
        return items.map { name, text in
            width + 4 > columns * 2 / 5
                ? "  \(name)\n" + wrapped("      ", text, 6)
                : wrapped("  \(name)\(String(repeating: " ", count: width - name.count))  ", text, width + 4)
        }.joined()
    }

    /// A paragraph after its first words; further lines are indented.
    private func wrapped(_ start: String, _ text: String, _ indent: Int) -> String {
        var (lines, line, isEmpty) = ("", start, true)
        for word in text.split(separator: " ") {
            if !isEmpty, line.count + word.count >= columns {
                lines += line + "\n"
                (line, isEmpty) = (String(repeating: " ", count: indent), true)
            }
            line += (isEmpty ? "" : " ") + word
            isEmpty = false
        }
        return lines + line + "\n"
    }
}

nonisolated extension Word {
    /// The sentence, and whether it is required, its default, and where it may stand.
    var explained: String {
        sentence + (isRequired ? " Required." : "") + (fallback.map { " Default: \($0)." } ?? "")
            + (scope == .mainFile ? " Main file only." : "")
    }
}

nonisolated extension Table {
    /// The mapping's keys, with those defaults that are numbers, times or flags: `{duration: 1 s, touches: 2}`.
    func form(at scope: WordScope = .inside) -> String {
        let keys = positions(at: scope).map { position in
            let (name, value) = (words[position].name, words[position].fallback ?? "")
            return value.first?.isNumber == true || Bool(value) != nil ? "\(name): \(value)" : name
        }
        return (short.map { "\(words[$0].form.text()), or " } ?? "") + "{\(keys.joined(separator: ", "))}"
    }
}
