import Foundation
import Testing

@testable import Layout

@Suite("The words of layouts")
struct VocabularyTests {
    private let tables = LayoutVocabulary().tables

    @Test("each has a sentence and a kind of value, and is found by its name in its section")
    func described() {
        #expect(tables.count > 40)
        for table in tables {
            #expect(Set(table.words.map(\.name)).count == table.words.count, "\(table.key)")
            for word in table.words {
                let what = "\(table.key).\(word.name)"
                #expect(word.sentence.first?.isLowercase == false && word.sentence.hasSuffix("."), "\(what)")
                #expect(!word.form.text().isEmpty && !word.form.schema.members.isEmpty, "\(what)")
                #expect(!word.scope.isEmpty, "\(what)")
                let example = word.form.example(or: word.fallback) ?? "none"
                #expect(!example.isEmpty && !example.contains(" or "), "\(what)")
                #expect(LayoutVocabulary().help(what)?.contains(word.sentence.prefix(20)) == true, "\(what)")
            }
        }
    }

    @Test("views that programs publish may name handlers, and have no actions, slots or screens")
    func published() {
        #expect(StepWords.table.names(at: .published) == ["run", "with"])
        #expect(Set(["slot", "screen"]).isDisjoint(with: ViewWords.table.names(at: .published)))
    }

    @Test("any value of any one word is read or refused", arguments: ["", "views:\n- ", "views:\n- gestures:\n  - "])
    func anyValue(start: String) {
        // An assertion in the reader checks that every call names all words of its section.
        let key = start.contains("gestures") ? "gesture" : start.isEmpty ? "layout" : "view"
        let values = [
            "1", "true", "a", "[1, 2]", "{a: 1}", "{}", "[]", "1.5 s", "\"\"", "~", "-1e308", "1e400", ".nan",
        ]
        for word in tables.first(where: { $0.key == key })?.words ?? [] {
            for value in values {
                let check = LayoutDocument.check(text: "\(start)\(word.name): \(value)\n", file: "a.yaml", handlers: [])
                #expect(check.document == nil, "it has no screen: \(word.name): \(value)")
            }
        }
    }
}
