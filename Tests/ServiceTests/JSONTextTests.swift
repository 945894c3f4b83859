import ControlProtocol
import Foundation
import Testing

@Suite struct JSONStrings {
    @Test(
        "a name with any characters is one JSON string",
        arguments: ["plain", "\"quoted\"", "back\\slash", "line\nbreak\ttab\r", "\u{1}\u{1F}", "größe 触摸 🖐", ""])
    func quoting(text: String) throws {
        let decoded = try JSONDecoder().decode([String].self, from: Data("[\(JSONText.quoted(text))]".utf8))
        #expect(decoded == [text])
    }
}
