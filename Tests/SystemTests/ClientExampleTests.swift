import Foundation
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
        let build = try TemporaryFolder(), program = build.url.appending(path: "button").path
        let source = Self.folder.appending(path: "button.cpp").path
        // The line for building it is the one in its first comment.
        let compiler = try TouchdProgram.run(
            ["-c", "g++ -fPIC '\(source)' -o '\(program)' $(pkg-config --cflags --libs Qt5Network)"], program: "/bin/sh"
        )
        #expect(compiler.status == 0 && compiler.errors.isEmpty, "\(compiler.errors)")
        try check("button.cpp", [program])
    }

    /// The sound goes into a file instead of a sound card.
    @Test(
        "the talking mode is heard: each text in its language, and the newest one only",
        .needs("python3-speechd"), .needs("speech-dispatcher-espeak-ng"))
    func speech() throws {
        let home = try TemporaryFolder(), sound = home.url.appending(path: "sound.wav").path
        _ = try home.file(
            ".asoundrc",
            "pcm.!default {type file; slave.pcm nothing; file '\(sound)'; format wav}\npcm.nothing {type null}\n")
        let settings = home.url.appending(path: "speech-dispatcher")
        try FileManager.default.createDirectory(at: settings, withIntermediateDirectories: false)
        _ = try home.file(
            "speech-dispatcher/speechd.conf",
            """
            AudioOutputMethod "alsa"
            AddModule "espeak-ng" "sd_espeak-ng" "espeak-ng.conf"
            DefaultModule espeak-ng
            Timeout 1

            """)
        let touchd = try RunningTouchd(
            layout: """
                screen: {size: [1920, 1080]}
                accessibility: {language: en, end: {idle: 3600}}
                pages:
                  start: {views: [{label: {en: Day ticket, de: Tageskarte}, frame: [0, 0, 960, 100], control: button}]}
                  pay: {views: [{label: {en: Pay, de: Zahlen}, frame: [0, 0, 960, 100], control: {toggle: {on: true}}}]}

                """)
        touchd.ready()
        let variables = [
            "HOME=\(home.url.path)", "XDG_CONFIG_HOME=\(home.url.path)", "XDG_RUNTIME_DIR=\(home.url.path)",
            "/usr/bin/python3", Self.folder.appending(path: "speak.py").path, touchd.control,
        ]
        let client = try Server(["/usr/bin/env"] + variables)
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
        while (try? FileManager.default.attributesOfItem(atPath: sound)[.size] as? Int) ?? 0 < 10_000 {}
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
