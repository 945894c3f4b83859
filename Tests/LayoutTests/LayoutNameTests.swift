import Testing

@testable import Layout

/// Names of views, gestures, pages, screens and handlers.
@Suite("Names") struct LayoutNameTests {
    @Test(
        "a name has letters and digits of any script, and single spaces",
        arguments: [
            "a", "7", "start-page", "Seat 12.b_c", "Größe", "شراء", "购买", "スタート", "हिन्दी", "ไทย", "e\u{301}", "१२",
        ])
    func valid(name: String) {
        #expect(LayoutName.isValid(name))
        #expect(LayoutName.similar(to: name) == name)
    }

    @Test(
        "no word of a name is an option, and no character has a meaning to a shell",
        arguments: [
            "-rf", "a -rf", "a _b", " a", "a ", "a  b", "", "_a", ".a", "a/b", "a:b", "a=b", "$a", "a;b", "a\nb",
            "a\0b",
            "`a`", "a~", "a*", "{a}", "'a'", "\"a\"", "a|b", "a&b", "a<b", "a!", "a#", "a%", "a@b", "a\\b", "😀",
            "a\u{a0}b",
            "a\u{202e}b", "\u{301}a", "\u{3164}", "a\u{200b}b", "–help",
        ])
    func invalid(name: String) {
        #expect(!LayoutName.isValid(name))
        #expect(LayoutName.similar(to: name).map(LayoutName.isValid) != false)
    }

    @Test("a name has at most 128 characters, however many marks they have")
    func length() {
        #expect(LayoutName.isValid(String(repeating: "é", count: 128)))
        #expect(!LayoutName.isValid(String(repeating: "é", count: 129)))
        #expect(!LayoutName.isValid("a" + String(repeating: "\u{301}", count: 10_000)))
    }
}
