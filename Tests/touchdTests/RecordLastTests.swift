import ControlProtocol
import Foundation
import Service
import Testing

@testable import TestSupport

/// `touchd record --running`: a running touchd's kept events, written to a file and replayed.
@Suite struct RecordLast {
    @Test("the recording replays the touches on public views and none of the pad's")
    func roundTrip() throws {
        let touchd = try RunningTouchd(
            layout: KeptTouches.layout + "recording: {keep: 5 min}\n", events: KeptTouches.events)
        try KeptTouches.waitForEnd(of: touchd)
        let file = touchd.layout.deletingLastPathComponent().appending(path: "last.evemu")
        let outcome = try touchd.command("record", "--running", "--output", file.path)
        try #require(outcome.status == 0, "\(outcome.errors)")

        // Only its owner may read it.
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let events = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("E:") }
        let values = events.compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
        #expect(values.allSatisfy { $0 < 500 })
        // There are as many ids as contacts, so a gap cannot reveal the number of pressed keys.
        #expect(events.filter { $0.contains(" 0039 ") && !$0.hasSuffix("-1") }.map { $0.suffix(1) } == ["0", "1", "2"])

        let replayed = try TouchdProgram.run(
            "run", "--layout", touchd.layout.path, "--replay", file.path, "--speed", "max", "--format", "json")
        let began = replayed.lines.filter { $0.contains("\"began\"") }
        #expect(began.count == 3 && began.allSatisfy { $0.contains("\"view\": \"wall\"") })
        #expect(replayed.lines.filter { $0.contains("\"ended\"") }.count == 3)
        let places = ["\"x\": 101,", "\"x\": 201,", "\"x\": 303,"]
        #expect(zip(began, places).allSatisfy { $0.contains($1) })
        // By the device's name and to standard output the result is the same.
        let printed = try touchd.command("record", "--running", "made up")
        #expect(printed.output == (try String(contentsOf: file, encoding: .utf8)))
        // An existing recording is not overwritten.
        let again = try touchd.command("record", "--running", "--output", file.path)
        #expect(again.status == EX_CANTCREAT && again.errors.contains("\(file.path) exists already and is not"))
    }

    @Test("if nothing is kept, or for another device, it explains what to do")
    func refusals() throws {
        let touchd = try RunningTouchd(layout: KeptTouches.layout, events: KeptTouches.events)
        try KeptTouches.waitForEnd(of: touchd)
        let nothing = try touchd.command("record", "--running")
        #expect(nothing.status == 65)
        #expect(
            nothing.errors == "error: no recording is kept; add recording: {keep: 5 min} to the layout\n")
        // After a reload recording starts again, without earlier events.
        try Data((KeptTouches.layout + "recording: {keep: 5 min}\n").utf8).write(to: touchd.layout)
        #expect(try touchd.command("reload").status == 0)
        let empty = try touchd.command("record", "--running")
        #expect(empty.status == 0)
        #expect(empty.output.contains("N: made up") && !empty.output.contains("E:"))
        let other = try touchd.command("record", "--running", "another")
        #expect(other.status == 69)
        #expect(
            other.errors.contains("touchd uses no device 'another'; it uses") && other.errors.contains("(made up)"))
        #expect(
            try touchd.command("record", "--running", "7").errors.contains("unknown source 7; the touchscreens are"))
    }

    @Test("a recording is sent in pieces; a second client ends the transfer of the first")
    func pieces() throws {
        let moves = 3000
        var recording = MadeUpRecording()
        let (_, id, x, _) = MadeUpRecording.codes
        recording.report(at: 0, [(id, 1), (x, 0)])
        for move in 1...moves { recording.report(at: move * 50, [(x, move % 400)]) }
        recording.report(at: 3_600_000_000, [])
        let touchd = try RunningTouchd(
            layout: KeptTouches.layout + "recording: {keep: 5 min}\n", events: recording.text
        ).ready()
        let first = try ControlConnection(path: touchd.control, timeout: .seconds(600))
        let second = try ControlConnection(path: touchd.control, timeout: .seconds(600))
        while try first.status().touches.moved < moves {}
        func piece(_ connection: ControlConnection, _ part: Int) throws -> RecordingPart {
            try connection.answer(to: .recording(source: 1, part: part))
        }
        var whole = ""
        try first.recording { whole += $0 }
        #expect(whole.split(separator: "\n").count { $0.hasPrefix("E:") } == 2 + 2 * moves)

        #expect(try piece(first, 0).next == 1)
        let start = try piece(second, 0)
        var text = start.text
        #expect(start.source == 1 && start.name == "made up")
        #expect(text.utf8.count < 17_000)
        for connection in [first, second] {
            let error = #expect(throws: ControlError.self) { try piece(connection, connection === first ? 1 : 2) }
            #expect(error?.code == .unavailable)
        }
        var part = 1
        while true {
            let next = try piece(second, part)
            text += next.text
            guard next.next == part + 1 else { break }
            part += 1
        }
        #expect(text == whole)
        #expect(throws: ControlError.self) { try piece(second, part + 1) }
    }
}
