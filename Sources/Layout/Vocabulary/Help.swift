import Basics
import ControlProtocol
import Foundation

nonisolated extension LayoutVocabulary {
    /// The sections with their sentences.
    package var sections: String { Self.list(tables.map { ($0.key, $0.sentence) }) }

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
                let inside = Self.sections(in: word)
                explained.formUnion(inside.map(\.key))
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
            let inside = word.sections.count == 1 ? word.sections[0] : tables[0]
            let form = word.form.replacing("a mapping", with: inside.words.count > 9 ? "a mapping" : inside.form())
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
        let facts = "Value: \(word.form).\(word.isRequired ? " Required." : "")\(fallback)"
        return title + "\n" + Self.wrapped("  ", word.sentence, 2) + Self.wrapped("  ", facts, 2)
    }

    private func text(of table: Table, after word: Word? = nil) -> String {
        let words = table.words.map { ($0.name, $0.explained) }
        let title = word?.sentence == table.sentence ? "" : Self.wrapped("\(table.key): ", table.sentence, 2)
        return title + Self.list(words)
    }

    private static func list(_ items: [(name: String, text: String)]) -> String {
        let width = items.map(\.name.count).max() ?? 0
        return items.map { name, text in
            wrapped("  \(name)\(String(repeating: " ", count: width - name.count))  ", text, width + 4)
        }.joined()
    }

    /// A paragraph of 80 columns after its first words; further lines are indented.
    private static func wrapped(_ start: String, _ text: String, _ indent: Int) -> String {
        var (lines, line, isEmpty) = ("", start, true)
        for word in text.split(separator: " ") {
            if !isEmpty, line.count + word.count >= 80 {
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
        return (short.map { "\(words[$0].form), or " } ?? "") + "{\(keys.joined(separator: ", "))}"
    }
}

// MARK: - Examples

nonisolated extension Word {
    /// How to write the value, as a fix of an invalid one: the value that was probably meant, `0.5` for `0,5`, otherwise
    /// one that is valid. Nil if neither is known, or if the form shows it.
    func fix(of node: Node) -> String? {
        if let value = node.probableValue(as: form) {
            return schema.permits(value) ? value : nil
        }
        // Half of a number or time is no reason for another one.
        if node.isScalar, node.string.contains(where: \.isNumber) { return nil }
        return example
    }

    /// A valid value: `1 s`, `{touches: …}`. Words in capitals stand for texts.
    var example: String? {
        if form.hasPrefix("{") { return form }
        if form.hasPrefix("a list") || form.hasPrefix("true") { return nil }
        if form.hasSuffix(" by name") { return "{NAME: …}" }
        if form == "a mapping" {
            let words = sections.first?.words ?? []
            return (words.first(where: \.isRequired) ?? words.first).map { "{\($0.name): …}" }
        }
        let first = form.split(separator: " or ")[0].prefix { $0 != "," && $0 != ";" }
        if first.contains(" from ") {
            let values = form.hasPrefix("a time") ? ["1 s", "10 ms"] : ["1"]
            return ([fallback].compactMap(\.self) + values).first(where: schema.permits)
        }
        let words = first.split(separator: " ")
        guard ["a", "the"].contains(words[0]) else { return first.hasPrefix("[") ? nil : String(first) }
        return ["number", "mapping"].contains(words[1]) ? nil : words.last?.uppercased()
    }
}

nonisolated extension JSONSchema {
    /// Whether a number or a time is within the limits, or a word among the words, if there are any.
    fileprivate func permits(_ value: String) -> Bool {
        let members = Dictionary(members, uniquingKeysWith: { $1 })
        if case .list(let forms)? = members["anyOf"] { return forms.contains { $0.permits(value) } }
        if case .list(let words)? = members["enum"] {
            return words.contains { $0.text() == value || $0.text() == "\"\(value)\"" }
        }
        if case .text("boolean")? = members["type"] { return value == "true" || value == "false" }
        guard let least = members["minimum"]?.number, let most = members["maximum"]?.number else { return true }
        let isTime = members["$ref"] != nil
        let number = isTime ? Duration(timeText: value).map { $0 / .seconds(1) } : Double(value)
        return number.map { least <= $0 && $0 <= most } ?? false
    }

    private var number: Double? {
        switch self {
        case .number(let number): number
        case .int(let number): Double(number)
        default: nil
        }
    }
}

nonisolated extension Node {
    /// The value that was probably meant: `0.5` for `0,5`, `true` for `yes`, `5 s` for `5 sec`.
    func probableValue(as form: some StringProtocol) -> String? {
        guard isScalar, size <= 40 else { return nil }
        // Word processors write these quotes and no-break spaces.
        let marks = CharacterSet.whitespaces.union(CharacterSet(charactersIn: "\"'“”„‘’°"))
        let text = string.trimmingCharacters(in: marks).lowercased()
        if form.contains("true"), ["true", "yes", "on", "1"].contains(text) { return "true" }
        if form.contains("false"), ["false", "no", "off", "0"].contains(text) { return "false" }
        // Three digits after a comma may be thousands.
        guard let match = text.wholeMatch(of: /\+?(-?[0-9]+)(\.[0-9]+|,[0-9]{1,2})?\s*(\p{L}*)/) else { return nil }
        let number = "\(match.1)\(match.2 ?? "")".replacing(",", with: ".")
        let units: KeyValuePairs = ["seconds": "s", "minutes": "min", "hours": "h", "days": "d", "ms": "ms"]
        if form.contains("a time") {
            let unit = units.first { $0.key.hasPrefix(match.3) }?.value
            return match.1.first != "-" ? unit.map { "\(number) \($0)" } : nil
        }
        // One of several numbers, or a number of points.
        guard form.contains("number") || form.first?.isNumber == true else { return nil }
        return form.contains("whole") && match.2 != nil ? nil : number
    }
}
