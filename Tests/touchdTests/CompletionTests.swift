import Foundation
import Testing

@testable import TestSupport

/// The completion scripts in real shells: on a terminal, with a running touchd.
@Suite struct Completion {
    private static let layout = """
        screens: {left: {size: [1920, 1080]}, right: {size: [1080, 1920]}}
        pages: {start: {screen: left}, help page: {screen: right}}
        views: [{id: wall, frame: [0, 0, 9, 9]}, {id: big picture, frame: [10, 0, 9, 9]}]
        """
    private static let recording = """
        version: 1
        ndevices: 2
        devices:
        - node: /dev/input/event0
          evdev:
            name: "Left panel"
            id: [3, 1, 2, 0]
            codes:
              0: [0]
        - node: /dev/input/event1
          evdev:
            name: "Right panel"
            id: [3, 1, 2, 0]
            codes:
              0: [0]

        """

    @Test("bash completes commands, options, pages, views, screens and devices", .needs("bash"))
    func bash() throws { try check("bash") }

    @Test("zsh completes commands, options, pages, views, screens and devices", .needs("zsh"))
    func zsh() throws { try check("zsh") }

    @Test("fish completes commands, options, pages, views, screens and devices", .needs("fish"))
    func fish() throws { try check("fish") }

    private func check(_ shell: String) throws {
        let touchd = try RunningTouchd(layout: Self.layout).ready()
        let folder = try TemporaryFolder()
        let script = try folder.file(
            "script", TouchdProgram.run(["--generate-completion-script", shell]).output)
        let recording = try folder.file("two.yml", Self.recording).path
        let expectations: [(line: String, words: [String])] = [
            ("rec", ["record"]), ("re", ["record", "reload", "report", "reset"]),
            ("hit --", ["--explain", "--layout", "--screen"]), ("help view.sl", ["view.slo"]),
            ("go ", ["start", "help page"]), ("show ", ["wall", "big picture"]), ("show b", ["big\\ picture"]),
            ("show --socket \(touchd.control) ", ["wall", "big picture"]),
            ("hit -l \(touchd.layout.path) --page ", ["start", "help page"]),
            ("hit --layout=\(touchd.layout.path) --page ", ["start", "help page"]),
            ("hit -l \(touchd.layout.path) --screen ", ["left", "right"]),
            ("record --running ", ["QUANTA"]), ("decode \(recording) --device ", ["Left panel", "Right panel"]),
            ("run --replay \(recording) --device L", ["Left\\ panel"]),
        ]
        let lines = try folder.file("lines", expectations.map { "touchd \($0.line)\n" }.joined())
        let path = URL(filePath: TouchdProgram.path).deletingLastPathComponent().path
        let tab = Self.support.appending(path: "press-tab.py").path
        let shown = try TouchdProgram.run(
            [tab, shell, script.path],
            environment: [
                "PATH": "\(path):/usr/bin:/bin", "HOME": folder.url.path, "TERM": "xterm", "LC_ALL": "C.UTF-8",
                "TOUCHD_SOCKET": touchd.control,
            ], input: lines, program: "/usr/bin/python3"
        ).output.split(separator: /TAB \d+\n/)
        #expect(shown.count == expectations.count)
        for ((line, words), text) in zip(expectations, shown) {
            for word in words { #expect(text.contains(word), "\(line)") }
        }
    }

    private static let support = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Support")
}
