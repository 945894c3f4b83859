import Foundation
import Testing

@testable import ControlProtocol

@Suite("JSON is read") struct JSONTreeTests {
    private func error(_ text: some Collection<UInt8>, depth: Int = 64) -> JSONError? {
        do throws(JSONError) { _ = try JSONTree(text, depth: depth) } catch { return error }
        return nil
    }

    @Test(
        "a text that RFC 8259 does not allow is an error at its place",
        arguments: [
            ("", "a value is missing", 0), ("  ", "a value is missing", 2), ("[1,]", "a value is missing", 3),
            ("{\"a\":}", "a value is missing", 5), ("{\"a\":1,}", "a key in quotes is missing", 7),
            ("{a:1}", "a key in quotes is missing", 1), ("{\"a\" 1}", "a ':' is missing", 5),
            ("{\"a\":1 \"b\":2}", "a ',' or '}' is missing", 7), ("[1 2]", "a ',' or ']' is missing", 3),
            ("[1", "a ',' or ']' is missing", 2), ("{} {}", "the text continues after its end", 3),
            ("01", "an invalid number", 0), ("-", "an invalid number", 0), ("1.", "an invalid number", 0),
            (".5", "a value is missing", 0), ("+1", "a value is missing", 0), ("1e", "an invalid number", 0),
            ("0x1", "the text continues after its end", 1), ("NaN", "a value is missing", 0),
            ("nul", "an unknown word; strings need quotes", 0), ("True", "a value is missing", 0),
            ("\"a", "the string has no end", 2), ("\"\\", "the string has no end", 2),
            ("\"\\x\"", "an unknown escape in a string", 3), ("'a'", "a value is missing", 0),
            ("\"\u{1F}\"", "a control character in a string; write it as \\u…", 1),
            ("\"\\u12g4\"", "\\u needs four hexadecimal digits", 3), ("\"\\ud800\"", "half of a surrogate pair", 7),
            ("\"\\udc00\"", "half of a surrogate pair", 7), ("\"\\ud800\\u0041\"", "half of a surrogate pair", 13),
            ("\u{FEFF}1", "a value is missing", 0), ("1 // one", "the text continues after its end", 2),
        ])
    func invalid(text: String, message: String, offset: Int) {
        #expect(error(text.utf8) == JSONError(message, at: offset))
    }

    @Test("white space is allowed around each value and sign, and nothing else")
    func whiteSpace() throws {
        let tree = try JSONTree(" \t\r\n{ \"a\" : [ 1 , { } , [ ] ] } \n".utf8)
        #expect(tree["a"]?.items?.map(\.kind) == [.number, .object, .array])
        #expect(error("\u{0C}1".utf8) != nil && error("\u{A0}1".utf8) != nil && error([0x31, 0]) != nil)
    }

    @Test("all escapes are read, and surrogate pairs as Python writes them")
    func escapes() throws {
        let text = #"["\"\\\/\b\f\n\r\t", "\u00e9\uD83D\uDE00\ud83d\ude00x", "plain \u0000"]"#
        #expect(
            try JSONTree(text.utf8).decode([String].self)
                == ["\"\\/\u{8}\u{C}\n\r\t", "é😀😀x", "plain \u{0}"])
        #expect(try JSONTree(#"{"\u0061": 1}"#.utf8)["a"]?.number == 1)
    }

    @Test("types are strict: a boolean is no number, 1 is not true, and a number in a string is a string")
    func kinds() throws {
        let items = try #require(JSONTree("[true, null, 1, \"1\", [], {}]".utf8).items)
        #expect(items.map(\.kind) == [.bool, .null, .number, .string, .array, .object])
        #expect(items.map { $0.number } == [nil, nil, 1, nil, nil, nil])
        #expect(items.map { $0.bool } == [true, nil, nil, nil, nil, nil])
        #expect(items.map { $0.string } == [nil, nil, nil, "1", nil, nil])
        #expect(items.map { $0.items?.count } == [nil, nil, nil, nil, 0, nil])
        #expect(items.map { $0.members?.count } == [nil, nil, nil, nil, nil, 0])
    }

    @Test("a number beyond Double is well-formed, and has no value")
    func numbers() throws {
        let items = try #require(JSONTree("[1e400, -1E+400, 1e-400, -0.0, 2.5e1, 9007199254740993]".utf8).items)
        #expect(items.map(\.number) == [nil, nil, 0, 0, 25, 9_007_199_254_740_992])
        #expect(try items[5].decode(Int.self) == 9_007_199_254_740_993)
        #expect(throws: MemberError.self) { try items[0].decode(Double.self) }
        #expect(throws: MemberError.self) { try JSONTree("4294967296".utf8).decode(UInt32.self) }
        #expect(throws: MemberError.self) { try JSONTree("2.5".utf8).decode(Int.self) }
    }

    @Test("members are found by name; a name that is given twice has no value in the list of members")
    func members() throws {
        let tree = try JSONTree(#"{"a": 1, "b": {"a": 2}, "a": 3}"#.utf8)
        #expect(tree["a"]?.number == 1)
        #expect(tree["b"]?["a"]?.number == 2)
        #expect(tree["c"] == nil && tree["b"]?.members?.keys.sorted() == ["a"])
        #expect(tree.members == nil)
        #expect(tree["b"].map { String(decoding: $0.json, as: UTF8.self) } == #"{"a": 2}"#)
    }

    @Test("nesting is limited, however deep the text is", arguments: [1, 64, 500, 100_000])
    func nesting(depth: Int) {
        let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        #expect(
            error(text.utf8, depth: 64)?.message
                == (depth > 64 ? "nested too deeply: at most 64 lists and objects" : nil))
    }

    @Test("a text that ends at any byte is an error, and each byte may be any other one")
    func damaged() throws {
        let text = Array(#"{"a": [1, -2.5e+3, "x\ud83d\ude00\u0041\n\""], "b": {"größe 🖐": null, "c": true}}"#.utf8)
        for end in text.indices { #expect(error(text[..<end]) != nil) }
        for _ in 0..<20_000 {
            var text = text
            text[.random(in: text.indices)] = .random(in: 0...255)
            check(text)
        }
    }

    @Test("invalid UTF-8 is an error at its place")
    func encoding() throws {
        #expect(error([0x22, 0xFF, 0x22]) == JSONError("the text is not UTF-8", at: 1))
        #expect(error([0x22, 0xED, 0xA0, 0x80, 0x22])?.message == "the text is not UTF-8")
        #expect(error(try #require("[1]".data(using: .utf16LittleEndian))) != nil)
    }

    @Test("the fuzzer's texts mean what Foundation reads", arguments: ["answers", "control", "journal", "template"])
    func corpus(name: String) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fuzz/corpus/\(name)")
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
            let bytes = Array(try Data(contentsOf: file))
            for line in bytes.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == 0xFF }) { check(line) }
        }
    }

    /// Compares the reader with Foundation's, which allows a comma before the end of an object, rejects numbers beyond
    /// `Double`, and reads long ones wrongly.
    private func check(_ text: some Collection<UInt8>) {
        let other = try? JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed)
        let shown = String(decoding: text, as: UTF8.self)
        guard let tree = try? JSONTree(text) else {
            #expect(other == nil || shown.contains(/,\s*}/), "\(shown)")
            return
        }
        let hasLongNumber = shown.contains(/[0-9]{17}|[eE]/)
        if let other {
            #expect(isSame(tree, other) || hasLongNumber, "\(shown)")
        } else {
            #expect(hasLongNumber, "\(shown)")
        }
    }

    private func isSame(_ tree: JSONTree, _ other: Any) -> Bool {
        switch other {
        case is NSNull: tree.isNull
        case let text as String: tree.string == text
        case let number as NSNumber: (tree.number ?? tree.bool.map { $0 ? 1 : 0 }) == number.doubleValue
        case let list as [Any]: tree.items?.count == list.count && zip(tree.items ?? [], list).allSatisfy(isSame)
        case let members as [String: Any]:
            tree.members.map { own in own.count == members.count && own.allSatisfy { isSame($1, members[$0] as Any) } }
                ?? true
        default: false
        }
    }
}
