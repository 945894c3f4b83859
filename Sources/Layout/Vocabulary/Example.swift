import Foundation

nonisolated extension Word {
    /// A valid value, from the form: `1 s`, `{touches: true}`. Words in capitals stand for texts. Nil if the form shows it.
    var example: String? {
        if form.hasPrefix("{") { return form }
        if form.hasSuffix(" by name") { return "{NAME: …}" }
        if form == "a mapping" { return sections.first?().example }
        let first = form.split(separator: " or ")[0].prefix { $0 != "," && $0 != ";" }
        let words = first.split(separator: " ")
        if let most = first.firstRange(of: " to ").map({ first[$0.upperBound...] }) {
            // All ranges contain 1 or 1 s, unless their times are shorter.
            return most.hasSuffix("ms") ? String(most) : form.hasPrefix("a time") ? "1 s" : "1"
        }
        guard ["a", "the"].contains(words[0]) else { return first.hasPrefix("[") ? nil : String(first) }
        return ["number", "list", "mapping"].contains(words[1]) ? nil : words.last?.uppercased()
    }
}

nonisolated extension Table {
    /// The section with a required word, or with its first one.
    fileprivate var example: String? {
        let word = words.first(where: \.isRequired) ?? words.first
        return word.map { "{\($0.name): \($0.example ?? "…")}" }
    }
}

nonisolated extension Node {
    /// The value that was probably meant: `0.5` for `0,5`, `true` for `yes`, `5 s` for `5 sec`.
    func probableValue(as form: some StringProtocol) -> String? {
        guard isScalar, size <= 40 else { return nil }
        // Word processors write these quotes and no-break spaces.
        let marks = CharacterSet.whitespaces.union(CharacterSet(charactersIn: "\"'“”„‘’"))
        let text = string.trimmingCharacters(in: marks).lowercased()
        if form.contains("true"), ["true", "yes", "on"].contains(text) { return "true" }
        if form.contains("false"), ["false", "no", "off"].contains(text) { return "false" }
        // Three digits after a comma may be thousands.
        guard let match = text.wholeMatch(of: /([-+]?[0-9]+)(\.[0-9]+|,[0-9]{1,2})?\s*(\p{L}*)/) else { return nil }
        let number = "\(match.1)\(match.2 ?? "")".replacing(",", with: ".")
        if form.contains("number") { return form.contains("whole") && match.2 != nil ? nil : number }
        let units: KeyValuePairs = ["seconds": "s", "minutes": "min", "hours": "h", "days": "d", "ms": "ms"]
        let unit = units.first { $0.key.hasPrefix(match.3) }?.value
        return form.contains("a time") && match.1.first != "-" ? unit.map { "\(number) \($0)" } : nil
    }
}
