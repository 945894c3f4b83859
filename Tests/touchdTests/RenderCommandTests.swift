import Foundation
import Testing

@testable import TestSupport

/// `touchd render --heatmap` with a recording.
@Suite final class RenderCommand {
    private let layout = FileManager.default.temporaryDirectory.appending(path: "touchd-\(UUID().uuidString).yaml")

    deinit { try? FileManager.default.removeItem(at: layout) }

    /// The number of touches drawn on a layout from the bundled recording, which has nine.
    private func drawnTouches(on text: String, _ options: String...) throws -> Int {
        try Data(text.utf8).write(to: layout)
        let arguments = ["render", "--layout", layout.path, "--heatmap", "config/recordings/quanta-optical.evemu"]
        let outcome = try TouchdProgram.run(arguments + options)
        try #require(outcome.status == 0, "\(outcome.errors)")
        return outcome.output.matches(of: /([0-9]+) touch(es)? began here/).reduce(0) { $0 + (Int($1.output.1) ?? 0) }
    }

    @Test("a recording is drawn on the requested page, except its private touches")
    func pages() throws {
        let text = """
            screen: {size: [1920, 1080]}
            pages:
              browse: {views: [{id: map, frame: [0, 0, 1920, 1080]}]}
              pay: {views: [{id: keypad, frame: [0, 0, 1920, 1080], private: true, views: [{frame: [0, 0, 1920, 1080]}]}]}
            """
        #expect(try drawnTouches(on: text, "--page", "browse") == 9)
        #expect(try drawnTouches(on: text, "--page", "pay") == 0)
    }

    @Test("the picture shows the page and the views as they are after the 'appeared' handlers, and no program runs")
    func appeared() throws {
        let trace = layout.path + ".trace"
        let text = """
            screen: {size: [800, 480]}
            pages:
              boot: {on: {appeared: {go: start}}, views: [{id: splash, frame: [0, 0, 800, 480]}]}
              start:
                on: {appeared: [{hide: help}, {exec: [/usr/bin/touch, "\(trace)"]}]}
                views: [{id: help, frame: [0, 0, 400, 480], on: {ended: log}}, {id: go, frame: [400, 0, 400, 480], on: {ended: {show: help}}}]
            """
        try Data(text.utf8).write(to: layout)
        let first = try TouchdProgram.run(["render", "--layout", layout.path])
        try #require(first.status == 0, "\(first.errors)")
        #expect(first.output.contains(">help</text>") && !first.output.contains(">splash</text>"))
        #expect(first.output.contains(">hidden or disabled</text>"))
        #expect(
            try TouchdProgram.run(["render", "--layout", layout.path, "--page", "boot"]).output.contains(
                ">splash</text>"))
        #expect(!FileManager.default.fileExists(atPath: trace))
    }

    @Test("touches are drawn only on the screen that the layout's rules give their device")
    func screens() throws {
        let text = """
            screens: {left: {size: [1920, 1080]}, right: {size: [1920, 1080]}}
            devices: [{match: {name: QUANTA*}, screen: right}]
            """
        #expect(try drawnTouches(on: text, "--screen", "left") == 0)
        #expect(try drawnTouches(on: text, "--screen", "right") == 9)
    }
}
