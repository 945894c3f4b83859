import Foundation
import LabSupport
import Testing

@testable import TestSupport

/// The programs under Examples/Clients, as clients of a running touchd.
@Suite struct ClientExamples {
    private static let folder = TouchdProgram.root.appending(path: "Examples/Clients")

    @Test("the Python client's button is hit while the program runs, and touchd names the program")
    func python() throws { try check("button.py", ["python3", Self.folder.appending(path: "button.py").path]) }

    @Test(
        "the Qt client's button is hit while the program runs, and touchd names the program", .needs("qtbase5-dev"))
    func qt() throws {
        let program = try LabRun.qtProgram("Examples/Clients/button.cpp", module: "Qt5Network")
        try check("button.cpp", [program.path])
    }

    /// The sound goes into a file instead of a sound card.
    @Test(
        "the talking mode is heard: each text in its language, and the newest one only",
        .needs("python3-speechd"), .needs("speech-dispatcher-espeak-ng"))
    func speech() throws {
        let speaker = try Speaker()
        let touchd = try RunningTouchd(
            layout: """
                screen: {size: [1920, 1080]}
                accessibility: {language: en, end: {idle: 3600}}
                pages:
                  start: {views: [{label: {en: Day ticket, de: Tageskarte}, frame: [0, 0, 960, 100], control: button}]}
                  pay: {views: [{label: {en: Pay, de: Zahlen}, frame: [0, 0, 960, 100], control: {toggle: {on: true}}}]}

                """)
        touchd.ready()
        let client = try speaker.client(of: touchd.control)
        #expect(client.line() == "listening")
        for (arguments, said) in [
            (["talk", "on"], ["en: Speech is on", "en: Day ticket"]), (["go", "pay"], ["en: Pay, on"]),
            (["language", "de"], []), (["go", "start"], ["de: Tageskarte"]), (["go", "pay"], ["de: Zahlen, ein"]),
            (["say", "Auf Wiedersehen"], ["de: Auf Wiedersehen"]), (["talk", "off"], ["de: Vorlesen aus"]),
        ] {
            #expect(try TouchdProgram.run(arguments + ["--socket", touchd.control]).status == 0)
            for text in said { #expect(client.line() == text) }
        }
        // The sound of the last text, at least, is longer than the file's header.
        while speaker.heard < 5_000 {}
        client.stop()
        touchd.signal(SIGTERM)
        #expect(touchd.end() == 0)
    }

    /// - Parameter command: The words that start the client.
    private func check(_ publisher: String, _ command: [String]) throws {
        let touchd = try RunningTouchd(
            layout: """
                screen: {size: [1920, 1080]}
                views: [{id: wall, frame: [0, 0, 1920, 1080]}, {slot: page, frame: [0, 0, 1920, 1080]}]

                """)
        try touchd.waitForTouch()
        let client = try Server(["/usr/bin/env"] + command + ["page", touchd.control])
        #expect(client.line() == "published in 1920 × 1080 points")
        let hit = try touchd.command("hit", "960", "540", "--running", "--explain").output
        #expect(hit.hasPrefix("view 'button' (published by \(publisher))\n"))
        #expect(try touchd.command("hit", "10", "10", "--running").output.hasPrefix("view 'wall' ("))
        client.stop()
        // touchd reads the end of the connection in its next pass at the latest.
        while try touchd.command("hit", "960", "540", "--running").output.hasPrefix("view 'button'") {}
        #expect(try touchd.command("hit", "960", "540", "--running").output.hasPrefix("view 'wall' ("))
        touchd.signal(SIGTERM)
        #expect(touchd.end() == 0)
    }
}
