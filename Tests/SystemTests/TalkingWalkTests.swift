import ControlProtocol
import Foundation
import LabSupport
import Testing

@testable import TestSupport

/// A visitor who does not see the screen buys a ticket: the talking mode with real programs at its ends.
@Suite struct TalkingWalk {
    private static let files = TouchdProgram.root.appending(path: "Tests/LayoutTests/Files")
    private static let support = TouchdProgram.root.appending(path: "Tests/SystemTests/Support")
    private static let walk = files.appending(path: "walk.evemu.gz")
    private let layout: String

    init() throws { layout = try String(contentsOf: Self.files.appending(path: "good/talking.yaml"), encoding: .utf8) }

    /// touchd sends the touches as TUIO, which Qt reads without a kernel's input devices.
    @Test(
        "a Qt program gets one tap for each activation, where the element is, and nothing of a finger that explores",
        .needs("qtbase5-dev"))
    func qt() throws {
        let port = freePort()
        let program = try LabRun.qtProgram("Tests/SystemTests/Support/tickets.cpp", module: "Qt5Widgets")
        let machine = try Server([
            "/usr/bin/env", "QT_QPA_PLATFORM=offscreen", "QT_QPA_GENERIC_PLUGINS=tuiotouch:udp=\(port)", program.path,
        ])
        #expect(machine.line() == "ready")
        let recording = try RecordingPipe(Self.walk, delay: 10)
        let touchd = try RunningTouchd(layout: layout + "tuio: {port: \(port)}\n", pipe: recording.pipe)
        touchd.ready()

        // The finger rests beside the buttons for 5 s. touchd repeats a touch that is down until the program gets it.
        try recording.putDown(at: 540, 400, time: 1)
        #expect(machine.line() == "began 540 400")
        try recording.play(until: 7)
        while try (touchd.command("status", "--json").json["talking"] as? [String: Any])?["on"] as? Int != 1 {}
        try recording.lift(time: 7.1)
        try recording.play(until: 30)
        // Forty seconds later the mode is over, and a touch is a touch.
        try recording.putDown(at: 540, 1840, time: 80)
        try recording.lift(time: 80.1)
        var got: [String] = []
        while let line = machine.line() {
            got.append(line)
            if line == "pressed Start" { break }
        }
        #expect(
            got == [
                "ended 540 400",
                "began 540 1050", "ended 540 1050", "pressed English",
                "began 540 672", "ended 540 672", "pressed Day ticket",
                "began 540 1840", "ended 540 1840", "pressed Start",
            ])
        touchd.signal(SIGTERM)
        #expect(touchd.end() == 0)
    }

    /// The page does not know of the talking mode.
    @Test(
        "a page gets one click for each activation, and nothing else, although it replaces its content",
        .needs("chromium"))
    func page() throws {
        let recording = try RecordingPipe(Self.walk)
        let layout = """
            screen: {size: [1080, 1920]}
            accessibility: {language: en}
            views:
              - {slot: page, frame: [0, 0, 1080, 1920]}

            """
        let touchd = try RunningTouchd(layout: layout, pipe: recording.pipe)
        touchd.ready()
        let tickets = try String(contentsOf: Self.support.appending(path: "Pages/tickets.html"), encoding: .utf8)
        let web = try RunningWeb(
            control: touchd.control, settings: "pages: FOLDER\n", files: ["index.html": tickets])
        let browser = try Chromium(width: 1080, height: 1920)
        try browser.open("\(web.origin)/", until: "window.touchd?.connected")
        func wait(for view: String, at y: Int) throws {
            while try !touchd.command("hit", "--running", "540", "\(y)").output.contains(view) {}
        }
        try wait(for: "start", at: 1840)
        let speaker = try ControlConnection(path: touchd.control, timeout: .seconds(600))
        try speaker.send(.subscribe(to: .accessibility, moves: false))
        #expect(try touchd.command("talk", "on").status == 0)

        var said: [String] = []
        func listen(until last: String) throws {
            while said.last != last {
                let event = try JSONTree(speaker.nextEvent())
                guard let change = event["change"]?.string, change != "quiet" else { continue }
                said.append([change, event["label"]?.string].compactMap(\.self).joined(separator: " "))
            }
        }
        try recording.play(until: 5)
        try listen(until: "activated English")
        // The page shows the tickets, and what is first there is said.
        try listen(until: "focus Ticket machine of the city")
        try recording.play(until: 30)
        try listen(until: "activated Day ticket, 7 euros")
        try listen(until: "focus Start")
        try listen(until: "focus Reduced fare")
        #expect(
            said == [
                "started", "focus Ticket machine of the city", "focus Ticket machine of the city", "nothing",
                "focus Deutsch", "nothing", "focus English", "activated English", "focus Ticket machine of the city",
                "focus Single, 2 euros 40", "focus Day ticket, 7 euros", "activated Day ticket, 7 euros",
                "focus Week ticket, 29 euros", "focus Reduced fare", "focus Pay", "focus Start", "end", "end",
                "focus Pay", "focus Reduced fare",
            ])
        try browser.wait("got.includes('click Day ticket, 7 euros')")
        let got = try browser.evaluate("got") as? [String]
        #expect(
            got
                == ["English", "Day ticket, 7 euros"].flatMap { name in
                    ["touchd:began", "focusin", "click"].map { "\($0) \(name)" }
                })
        touchd.signal(SIGTERM)
        #expect(touchd.end() == 0)
    }

    @Test(
        "each text of the walk is heard, in order and to its end",
        .needs("python3-speechd"), .needs("speech-dispatcher-espeak-ng"), .needs("espeak-ng"))
    func sound() throws {
        let speaker = try Speaker()
        let recording = try RecordingPipe(Self.walk)
        let touchd = try RunningTouchd(layout: layout, pipe: recording.pipe)
        touchd.ready()
        // Before the client, which would say the mode's beginning and the first element at once, one without its end.
        #expect(try touchd.command("talk", "on").status == 0)
        let client = try speaker.client(of: touchd.control)
        #expect(client.line() == "listening")

        // A line for each text, with the time at which it is said on the recording's clock.
        let lines = try String(contentsOf: Self.support.appending(path: "walk.spoken"), encoding: .utf8)
        var alone: [Sound] = [], heard = 0
        for line in lines.split(separator: "\n") {
            let (_, time, language, text) = try #require(line.wholeMatch(of: /([0-9.]+) ([a-z]+): (.*)/)).output
            try recording.play(until: #require(Double(time)))
            #expect(client.line() == "\(language): \(text)")
            let expected = try speaker.alone(String(text), language: String(language))
            alone.append(expected)
            // The next text would interrupt it.
            while speaker.heard < heard + expected.count {}
            heard = speaker.heard
        }

        let (texts, expected) = (try speaker.sound().texts, alone.flatMap(\.texts))
        // espeak-ng makes a pause longer after some other text, by up to 0.04 s.
        #expect(texts.count == expected.count)
        for (text, alone) in zip(texts, expected) { #expect(abs(text - alone) <= 22_050 / 20) }
        // After each text the module's silence is up to 0.07 s longer.
        let sum = alone.map(\.count).reduce(0, +)
        #expect((sum...sum + alone.count * 22_050 / 10).contains(speaker.heard))
        client.stop()
        touchd.signal(SIGTERM)
        #expect(touchd.end() == 0)
    }
}
