import Foundation
import Testing

@testable import ControlProtocol

@Suite("JSON is written") struct JSONWriterTests {
    private func text(_ write: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        write(&writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test("a string with any characters is read back by Foundation and by the own reader")
    func strings() throws {
        let texts =
            ["plain", "\"quoted\"", "back\\slash", "line\nbreak\ttab\r", "\u{0}\u{1}\u{1F}\u{7F}", "größe 触摸 🖐", ""]
            + (0..<500).map { _ in
                String(
                    String.UnicodeScalarView(
                        (0..<Int.random(in: 0...20)).compactMap { _ in
                            Unicode.Scalar(UInt32.random(in: 0...(Bool.random() ? 0x7F : 0x10FFFF)))
                        }))
            }
        for text in texts {
            let json = self.text { [text, text].write(to: &$0) }
            #expect(try JSONDecoder().decode([String].self, from: Data(json.utf8)) == [text, text])
            #expect(try JSONTree(json.utf8).decode([String].self) == [text, text])
        }
    }

    @Test(
        "a number is the shortest text that reads back",
        arguments: [
            (0, "0"), (-0.0, "0"), (812, "812"), (-12.75, "-12.75"), (0.1, "0.1"), (3625.114502, "3625.114502"),
            (3625.2, "3625.2"), (1e-6, "0.000001"), (1.0 / 3, "0.3333333333333333"), (1e16, "1e+16"),
            (1.0031264417, "1.0031264417"), (-1e300, "-1e+300"), (.infinity, "null"), (.nan, "null"),
        ] as [(Double, String)])
    func numbers(number: Double, text: String) { #expect(self.text { $0.write(number) } == text) }

    @Test("any number reads back as itself, and no shorter text does")
    func randomNumbers() throws {
        for _ in 0..<20_000 {
            let number =
                switch Int.random(in: 0..<4) {
                case 0: Double(bitPattern: .random(in: 0 ... .max))
                case 1: Double(Int.random(in: -100_000_000...100_000_000)) / 100
                case 2: Double(Int.random(in: 0...9_000_000_000_000_000)) / 1e6
                default: Double.random(in: -1...1)
                }
            guard number.isFinite else { continue }
            let text = self.text { $0.write(number) }
            #expect(try JSONTree(text.utf8).number == number)
            #expect(text.count <= number.description.count)
        }
    }

    @Test("every integer is written in full", arguments: [Int.min, -1, 0, 9, 10, 99, 100, .max])
    func integers(number: Int) { #expect(text { $0.write(number) } == "\(number)") }

    @Test("members that are nil are left out, and the others are in order")
    func members() {
        let line = JSONWriter.object {
            $0.member("b", 1)
            $0.member("none", nil as String?)
            $0.member("a", [true, nil])
            $0.member("c", [String]())
        }
        #expect(String(decoding: line, as: UTF8.self) == #"{"b": 1, "a": [true, null], "c": []}"#)
    }

    private nonisolated struct Record: JSONMessage, Equatable {
        var text = "a", none: Int?, list: [Double?] = [1, nil, 2.5], map = ["z": [UInt64.max], "b": []]

        static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member("text", "a text", \.text)
            visitor.member("none", "absent", \.none)
            visitor.member("null", "null", \.none.orNull)
            visitor.member("list", "a list", \.list)
            visitor.member("map", "members by name", \.map)
            visitor.member("count", "only written") { $0.list.count }
        }
    }

    @Test("a record is written in the order of its table, dictionaries by name, and read back")
    func records() throws {
        let json = Record().jsonLine
        #expect(
            String(decoding: json, as: UTF8.self) == """
                {"text": "a", "null": null, "list": [1, null, 2.5], \
                "map": {"b": [], "z": [18446744073709551615]}, "count": 3}
                """)
        #expect(try JSONTree(json).decode() == Record())
        #expect(["a": [Int]()].jsonText(indented: true) == "{\n  \"a\": []\n}")
        #expect([[1, 2]].jsonText(indented: true) == "[\n  [\n    1,\n    2\n  ]\n]")
    }

    @Test("arrays and objects may be nested as deep as views of a layout")
    func depth() throws {
        let json = text { writer in
            for _ in 0..<500 {
                writer.beginArray()
                writer.beginObject()
                writer.name("a")
            }
            writer.write(1)
            for _ in 0..<1000 { writer.end() }
        }
        let tree = try JSONTree(json.utf8, depth: 1000)
        #expect(json.count == 500 * "[{\"a\": }]".count + 1 && tree.kind == .array)
    }

    @Test("a writer whose text was removed begins again")
    func memory() {
        var writer = JSONWriter()
        for _ in 0..<2 {
            writer.removeAll()
            writer.write("a")
            writer.endLine()
        }
        #expect(writer.bytes == Array("\"a\"\n".utf8))
    }
}
