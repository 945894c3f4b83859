import Foundation
import Handlers
import Layout

/// Reads bytes up to the first 0xFF, which UTF-8 never contains, as a template, and the rest as a fact and an argument.
///
/// Whatever the fact is, it adds no argument to a command, no level to a topic, no part to a URL and no line to a log,
/// and JSON preserves it.
enum FuzzedTemplate {
    static func violation(_ bytes: UnsafeRawBufferPointer) -> String? {
        let end = bytes.firstIndex(of: 0xff) ?? bytes.endIndex
        let text = String(decoding: bytes[..<end], as: UTF8.self)
        let fact = String(decoding: bytes[end...].dropFirst(), as: UTF8.self)
        guard let document = try? LayoutDocument(text: layout(text), file: "fuzzed.yaml", handlers: [String]()) else {
            return nil
        }
        let (facts, harmless) = (facts(fact), facts("x"))
        for step in document.handlers.flatMap(\.allSteps) {
            guard case .action(let action) = step.kind else { continue }
            if let wrong = violation(action, facts, harmless) { return "\(action.keyword): \(wrong)" }
        }
        let json = try? JSONSerialization.jsonObject(with: Data(facts.json.utf8)) as? [String: Any]
        let device = fact.hasPrefix("-") ? "_" + fact.dropFirst() : fact
        guard json?["device"] as? String == device, (json?["with"] as? [String: String]) == ["a": fact] else {
            return "JSON that does not say what the fact is: \(facts.json)"
        }
        return nil
    }

    private static func facts(_ fact: String) -> HandlerFacts {
        HandlerFacts(
            HandlerContext(.absent, .device(fact)), handler: "test", arguments: ["a": fact],
            deviceName: { _ in fact }, now: { 1 })
    }

    private static func violation(
        _ action: HandlerAction, _ facts: HandlerFacts, _ harmless: HandlerFacts
    ) -> String? {
        func count(_ characters: String, in text: String) -> Int {
            text.unicodeScalars.count { characters.unicodeScalars.contains($0) }
        }
        let lineEnds = "\n\r\u{85}\u{2028}\u{2029}"
        switch action {
        case .log(let template):
            let line = facts.line(template)
            if count(lineEnds, in: line) > count(lineEnds, in: harmless.line(template)) {
                return "a fact made a line: \(line)"
            }
        case .exec(let spec):
            let words = spec.arguments.map { facts.fill($0) }
            guard words.count == 4, words[0] == "/bin/true", words[1] == words[3], words[2] == "-" else {
                return "other words: \(words)"
            }
        case .publish(let spec):
            let topic = facts.topic(spec.topic)
            if count("/+#", in: topic) != count("/+#", in: harmless.topic(spec.topic)) {
                return "a fact made a level: \(topic)"
            }
        case .http(let spec):
            let url = facts.url(spec.url)
            if !url.hasPrefix("https://kiosk.example/") { return "another host: \(url)" }
            if count("/?#&=@:", in: url) != count("/?#&=@:", in: harmless.url(spec.url)) {
                return "a fact made a part: \(url)"
            }
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
}
