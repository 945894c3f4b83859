import Foundation
import Handlers
import Layout

/// Reads bytes up to the first 0xFF, which UTF-8 never contains, as a template, and the rest as a fact and an argument.
///
/// An accepted template has the parts that a second parser here finds. Whatever the fact is, it adds no argument to a
/// command, no level to a topic, no part to a URL and no line to a log, and JSON preserves it.
enum FuzzedTemplate {
    static func violation(_ bytes: UnsafeRawBufferPointer) -> String? {
        let end = bytes.firstIndex(of: 0xff) ?? bytes.endIndex
        let text = String(decoding: bytes[..<end], as: UTF8.self)
        let fact = String(decoding: bytes[end...].dropFirst(), as: UTF8.self)
        guard let document = try? LayoutDocument(text: layout(text), file: "fuzzed.yaml", handlers: [String]()) else {
            return nil
        }
        guard let parts = parts(of: text) else { return "accepted, though its braces do not match" }
        let facts = OccasionFacts(
            Occasion(.absent, .device(fact)), handler: "test", arguments: ["a": fact],
            context: .init(deviceName: { _ in fact }, now: { 1 }))
        for step in document.handlers.flatMap(\.allSteps) {
            guard case .action(let action) = step.kind else { continue }
            if let wrong = violation(action, parts, facts) { return "\(action.keyword): \(wrong)" }
        }
        let json = try? JSONSerialization.jsonObject(with: Data(facts.json.utf8)) as? [String: Any]
        let device = fact.hasPrefix("-") ? "_" + fact.dropFirst() : fact
        guard json?["device"] as? String == device, (json?["with"] as? [String: String]) == ["a": fact] else {
            return "JSON that does not say what the fact is: \(facts.json)"
        }
        return nil
    }

    private static func violation(
        _ action: HandlerAction, _ parts: [Template.Segment], _ facts: OccasionFacts
    ) -> String? {
        let filled = parts.map { part in
            switch part {
            case .text(let text): text
            case .fact(let name): facts[name] ?? ""
            }
        }
        .joined()
        func count(_ characters: String, in text: String) -> Int {
            text.unicodeScalars.count { characters.unicodeScalars.contains($0) }
        }
        let literal = parts.map { if case .text(let text) = $0 { text } else { "" } }.joined()
        switch action {
        case .log(let template):
            guard template.segments == parts else { return "\(template.segments) is not \(parts)" }
            let line = facts.line(template)
            if count("\n\r\u{85}\u{2028}\u{2029}", in: line) > count("\n\r\u{85}\u{2028}\u{2029}", in: literal) {
                return "a fact made a line: \(line)"
            }
        case .exec(let spec):
            let words = spec.arguments.map { facts.fill($0) }
            guard words == ["/bin/true", filled, "-", filled] else { return "other words: \(words)" }
        case .publish(let spec):
            let topic = facts.topic(spec.topic)
            if count("/+#", in: topic) != count("/+#", in: literal) { return "a fact made a level: \(topic)" }
        case .http(let spec):
            let url = facts.url(spec.url)
            if !url.hasPrefix("https://kiosk.example/") { return "another host: \(url)" }
            if count("/?#&=@:", in: url) != count("/?#&=@:", in: "https://kiosk.example/\(literal)") {
                return "a fact made a part: \(url)"
            }
            guard spec.body.map(facts.fill) == filled else { return "another body" }
        default: break
        }
        return nil
    }

    private static func layout(_ text: String) -> String {
        let quoted = quoted(text)
        return """
            handlers:
              a: {log: \(quoted)}
              b: {exec: [/bin/true, \(quoted), "-", \(quoted)]}
              c: {publish: \(quoted)}
              d: {http: {url: \(Self.quoted("https://kiosk.example/\(text)")), body: \(quoted)}}

            """
    }

    /// The text as a double-quoted YAML string (YAML 1.2.2, 5.7).
    private static func quoted(_ text: String) -> String {
        let characters = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            case " "..."~": "\(scalar)"
            default: String(format: "\\U%08X", scalar.value)
            }
        }
        return "\"\(characters.joined())\""
    }

    /// A template's parts; nil for unmatched braces.
    private static func parts(of text: String) -> [Template.Segment]? {
        var parts: [Template.Segment] = []
        var literal = ""
        var rest = Array(text)[...]
        while let character = rest.popFirst() {
            switch character {
            case "{" where rest.first == "{", "}" where rest.first == "}":
                literal.append(character)
                rest.removeFirst()
            case "{":
                guard let end = rest.firstIndex(of: "}") else { return nil }
                if !literal.isEmpty { parts.append(.text(literal)) }
                literal = ""
                parts.append(.fact(String(rest[..<end])))
                rest = rest[(end + 1)...]
            case "}": return nil
            default: literal.append(character)
            }
        }
        return literal.isEmpty ? parts : parts + [.text(literal)]
    }
}
