import Foundation

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
            let words = sections.first?().words ?? []
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

nonisolated extension JSON {
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
