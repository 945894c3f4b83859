import Foundation
import Testing
import YAML

@testable import touchd_web

@Suite("web.yaml") struct WebSettingsTests {
    private func problems(_ text: String) -> [String] {
        do {
            _ = try WebSettings(text: text, file: "web.yaml")
            return []
        } catch {
            return "\(error)".split(separator: "\n").map(String.init)
        }
    }

    @Test("a missing file, an empty one and one of comments mean no pages and no other origins")
    func defaults() throws {
        for settings in [
            try WebSettings(path: "/nowhere/web.yaml"), try WebSettings(text: "", file: "web.yaml"),
            try WebSettings(text: "# origins: [https://kiosk.example]\n", file: "web.yaml"),
        ] {
            #expect(settings.origins.isEmpty && settings.pages == nil && settings.token == nil && settings.users == nil)
        }
    }

    @Test("origins are a list or one text, and pages a folder")
    func values() throws {
        let settings = try WebSettings(
            text: "origins: [https://kiosk.example, 'http://localhost:3000', 'http://[::1]:8080']\npages: /usr\n",
            file: "web.yaml")
        #expect(settings.origins.count == 3 && settings.pages == "/usr")
        #expect(try WebSettings(text: "users: [root]\n", file: "w").users == [0])
        #expect(try WebSettings(text: "users: []\n", file: "w").users == [])
        #expect(try WebSettings(text: "origins: https://a.example\n", file: "w").origins == ["https://a.example"])
    }

    @Test(
        "an error has its location and what to write instead",
        arguments: [
            ("origins: ['*']", "web.yaml:1:11: error: 'origins' must name each origin"),
            ("origins: ['null']", "web.yaml:1:11: error: origin 'null' is not allowed"),
            ("origins: [kiosk.example]", "web.yaml:1:11: error: an origin must be a scheme"),
            ("origins: [https://a.example/]", "web.yaml:1:11: error: an origin must be a scheme"),
            ("origins: ['https://a.example:443']", "web.yaml:1:11: error: an origin must be a scheme"),
            ("\npages: /nowhere", "web.yaml:2:8: error: 'pages' must be the path of a folder"),
            ("token-file: /nowhere", "web.yaml:1:13: error: /nowhere: cannot read the token"),
            ("users: [root, 'no one']", "web.yaml:1:15: error: 'users' must be names of this machine's users"),
            ("origin: https://a.example", "web.yaml:1:1: error: unknown key 'origin' in the settings; did you mean"),
            (
                "zzzzzz: 1",
                "web.yaml:1:1: error: unknown key 'zzzzzz' in the settings; the keys are origins, pages, token-file,"
            ),
            ("[]", "web.yaml:1:1: error: the settings must be a mapping (key: value), not a list"),
            ("pages:/srv", "web.yaml:1:1: error: the settings must be a mapping (key: value), not 'pages:/srv'"),
            ("[a]: b", "web.yaml:1:1: error: a key in the settings must be a word, not a list"),
            ("pages: [/usr]", "web.yaml:1:8: error: 'pages' must be a text, not a list"),
            ("origins: {a: b}", "web.yaml:1:10: error: 'origins' must be a text, not a mapping"),
            ("users:\n- root\n-", "web.yaml:3:2: error: 'users' must be a text, not nothing"),
            ("users:\n- !root", "web.yaml:2:3: error: YAML tags are not supported; remove '!root'"),
            ("pages: /usr\npages: /srv", "web.yaml:2:1: error: 'pages' is given twice in one mapping, first in line 1"),
            ("pages: /usr\n---\nusers: root", "web.yaml:3:1: error: the settings are one YAML document, and another"),
            ("pages: a: b", "web.yaml:1:9: error: not valid YAML: a text with ': ' in it needs quotes: \"a: b\""),
            ("pages: *a", "web.yaml:1:8: error: not valid YAML: a text that begins with '*' needs quotes"),
            ("origins:\n\t- a", "web.yaml:2:1: error: not valid YAML: indent with spaces, not with tabs"),
            ("# é\npages: é\u{1}", "web.yaml:2:9: error: not valid YAML: control characters are not allowed"),
            (
                "pages: \"\\e[31m\"",
                "web.yaml:1:8: error: 'pages' must be the path of a folder that touchd-web can read (got '\u{FFFD}[31m')"
            ),
            ("\u{FEFF}pages: x", "web.yaml:1:8: error: 'pages' must be the path of a folder"),
        ])
    func errors(text: String, expected: String) {
        let problems = problems(text)
        #expect(problems.count == 1 && problems.first?.hasPrefix(expected) == true, "\(problems)")
    }

    @Test("a key without a value is an error: an empty token-file would let every page connect")
    func noValue() {
        #expect(
            problems("token-file:") == ["web.yaml:1:1: error: 'token-file' has no value; give one, or remove the key"])
    }

    @Test("'users' without a name lets nobody connect", arguments: ["users:", "users: []", "users: ~"])
    func nobody(text: String) throws { #expect(try WebSettings(text: text, file: "web.yaml").users == []) }

    @Test("all errors are reported, each in its line")
    func several() {
        #expect(problems("origins: ['*', null]\nuser: a\npages: /usr\n").count == 2)
        #expect(problems("origins: ['*', a]\npages: /nowhere\n").count == 3)
    }

    @Test("a file that others can write to or replace, or that is no text, is refused")
    func files() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "touchd-\(UUID().uuidString.prefix(8))")
            .path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func file(_ name: String, _ bytes: some Sequence<UInt8>, mode: Int = 0o644) -> String {
            let path = "\(folder)/\(name)"
            let attributes: [FileAttributeKey: Any] = [.posixPermissions: mode]
            #expect(FileManager.default.createFile(atPath: path, contents: Data(bytes), attributes: attributes))
            return path
        }
        func problem(_ path: String) throws -> (line: String, status: Int32) {
            let error = try #require(throws: SettingsError.self) { try WebSettings(path: path) }
            return (error.description.replacing(folder, with: ""), error.status)
        }
        let good = file("good", "pages: /usr\n".utf8)
        #expect(try WebSettings(path: good).pages == "/usr")

        try FileManager.default.createSymbolicLink(atPath: "\(folder)/link", withDestinationPath: good)
        #expect(
            try problem("\(folder)/link")
                == ("/link:1:1: error: a symbolic link, which another user could replace; copy the file", EX_DATAERR))
        #expect(
            try problem(file("open", "pages: /usr\n".utf8, mode: 0o666))
                == ("/open:1:1: error: the file is writable by group or others; run: chmod go-w '/open'", EX_DATAERR))
        #expect(
            try problem(file("latin", Array("# é\npages: ".utf8) + [0xE9]))
                == ("/latin:2:8: error: the file is not UTF-8 here; save it as UTF-8", EX_DATAERR))
        #expect(
            try problem(file("long", Array(repeating: UInt8(ascii: "#"), count: 65_537)))
                == ("/long:1:1: error: the settings must be at most 65536 bytes", EX_DATAERR))
        #expect(try problem(folder) == (":1:1: error: not a regular file", EX_NOINPUT))
    }
}
