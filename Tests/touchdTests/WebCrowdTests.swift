import Foundation
import Testing

@testable import TestSupport

/// Ten pages under ten fingers, one of which does not read.
@Suite struct WebCrowd {
    private static let layout =
        "screen: {size: [1000, 1000]}\nviews:\n"
        + (0..<10).map { "  - {slot: page\($0), frame: [0, \($0 * 90), 1000, 90]}\n" }.joined()

    /// Twenty times, ten fingers come down together, move 120 times in a second and are lifted.
    private static let recording: String = {
        var recording = MadeUpRecording()
        let (slot, id, x, y) = MadeUpRecording.codes
        for second in 0..<20 {
            for step in 0...120 {
                var events: [(Int, Int)] = []
                for finger in 0..<10 {
                    events.append((slot, finger))
                    if step == 0 { events.append((id, second * 10 + finger)) }
                    if step == 120 { events.append((id, -1)) }
                    if step < 120 { events += [(x, step * 5 + finger), (y, finger * 90 + step % 50)] }
                }
                recording.report(at: second * 1_000_000 + step * 8000, events)
            }
        }
        return recording.text
    }()

    @Test("of ten pages one does not read: the others get every event, and that one gets the number of those it missed")
    func crowd() throws {
        let folder = try TemporaryFolder(), control = folder.url.appending(path: "control").path
        let touchd = try Server([
            TouchdProgram.path, "run", "--layout", try folder.file("kiosk.yaml", Self.layout).path, "--replay",
            try folder.file("fingers.evemu", Self.recording).path, "--speed", "max", "--format",
            "json", "--control", control,
        ])
        // touchd pauses its recording while nobody reads its output, so the pages are there before the second round of
        // fingers.
        while try TouchdProgram.run("status", "--socket", control).status != 0 {}
        let web = try RunningWeb(control: control)
        var pages: [Connection] = []
        for number in 0..<10 {
            let (page, _) = try web.webSocket()
            page.send(message: #"{"request": "subscribe", "to": ["touches"], "moves": true, "id": 1}"#)
            #expect(page.message()?.hasPrefix(#"{"id": 1, "result""#) == true)
            page.send(
                message: """
                    {"request": "views", "slot": "page\(number)", "views": [{"id": "page-\(number)", \
                    "frame": [0, 0, 1000, 90]}], "id": 2}
                    """)
            #expect(page.message()?.hasPrefix(#"{"id": 2, "result""#) == true)
            pages.append(page)
        }

        var counts = Array(repeating: 0, count: 10)
        /// The events that page 0 has got, or whose number it has got.
        var slow = 0
        func readSlowPage(until answer: String? = nil) throws {
            repeat {
                let message = try #require(pages[0].message())
                if let dropped = message.firstMatch(of: /"event": "dropped", "count": (\d+)/) {
                    slow += try #require(Int(dropped.output.1))
                } else if message.contains("\"view\": \"page-0\"") {
                    slow += 1
                } else if let answer, message.hasPrefix(answer) {
                    return
                }
            } while answer != nil
        }
        while let line = touchd.line() {
            guard let name = line.range(of: "\"view\": \"page-") else { continue }
            let number = try #require(line[name.upperBound].wholeNumberValue)
            counts[number] += 1
            guard number == 0 else {
                let event = try #require(pages[number].message())
                #expect(event.hasSuffix(line.dropFirst()), "page \(number): \(event)")
                continue
            }
            // Page 0 reads nothing at first.
            if counts[0] == 1500 {
                pages[0].send(message: #"{"request": "layout", "id": 3}"#)
                try readSlowPage(until: #"{"id": 3,"#)
            }
            while counts[0] > 1500, slow < counts[0] { try readSlowPage() }
        }
        #expect(touchd.end() == 0)
        #expect(counts.allSatisfy { $0 > 2000 }, "\(counts)")
        #expect(slow == counts[0])
    }
}
