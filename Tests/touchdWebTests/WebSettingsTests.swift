import Foundation
import Layout
import Testing

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
            ("[]", "web.yaml:1:1: error: the settings must be a mapping"),
        ])
    func errors(text: String, expected: String) {
        let problems = problems(text)
        #expect(problems.count == 1 && problems.first?.hasPrefix(expected) == true, "\(problems)")
    }
}
