import Foundation
import Testing

@testable import TestSupport

/// A page that does not read while ten fingers are on the screen.
@Suite struct SlowPage {
    // A long name fills the buffers with fewer events.
    private static let layout = """
        screen: {size: [1000, 1000]}
        views:
          - id: \(String(repeating: "wall", count: 30))
            frame: [0, 0, 1000, 1000]
            multiple-touch: true
            on: {began: log, ended: log}

        """

    /// Twice the duration that sockets and the inspector buffer for a page that does not read.
    private static let seconds = 20

    /// Each second ten fingers come down together, move 125 times and are lifted.
    static func recording(seconds: Int) -> String {
        var lines = [
            "N: Ten fingers", "I: 0003 0001 0001 0001", "P: 02 00 00 00 00 00 00 00", "B: 00 0b 00 00 00 00 00 00 00",
        ]
        let keys = Array(repeating: "B: 01 00 00 00 00 00 00 00 00", count: 5)
        lines += keys + ["B: 01 00 04 00 00 00 00 00 00"] + keys + keys.prefix(1)
        lines += ["B: 03 03 00 00 00 00 80 60 02"]
        lines += [
            "A: 00 0 999 0 0", "A: 01 0 999 0 0", "A: 2f 0 9 0 0", "A: 35 0 999 0 0", "A: 36 0 999 0 0",
            "A: 39 0 65535 0 0",
        ]
        for frame in 0..<(125 * seconds) {
            let stamp = "\(frame / 125).\(String(format: "%06d", frame % 125 * 8000))"
            let step = frame % 125
            for finger in 0..<10 {
                lines.append("E: \(stamp) 0003 002f \(finger)")
                if step == 0 { lines.append("E: \(stamp) 0003 0039 \(frame / 125 * 10 + finger)") }
                if step == 120 { lines.append("E: \(stamp) 0003 0039 -1") }
                if step < 120 {
                    lines.append("E: \(stamp) 0003 0035 \(step * 5 + finger)")
                    lines.append("E: \(stamp) 0003 0036 \(finger * 90 + step % 50)")
                }
            }
            if step == 0 || step == 120 { lines.append("E: \(stamp) 0001 014a \(step == 0 ? 1 : 0)") }
            if step <= 120 { lines.append("E: \(stamp) 0000 0000 0") }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    @Test("a slow page misses moves and gets their number")
    func missesMoves() throws {
        let folder = try TemporaryFolder()
        let arguments = [
            "run", "--layout", try folder.file("kiosk.yaml", Self.layout).path, "--replay",
            try folder.file("fingers.evemu", Self.recording(seconds: Self.seconds)).path, "--speed", "max", "--output",
            "json",
        ]
        let alone = try TouchdProgram.run(arguments)
        #expect(alone.lines.count { $0.contains(#""handlers": ["log"]"#) } == 20 * Self.seconds)

        // touchd pauses its recording while nobody reads its output, so nothing is missed before the page is open.
        let output = Pipe()
        let control = folder.url.appending(path: "control").path
        let touchd = Process()
        touchd.executableURL = URL(filePath: TouchdProgram.path)
        touchd.arguments = arguments + ["--control", control]
        touchd.currentDirectoryURL = TouchdProgram.root
        touchd.standardInput = FileHandle.nullDevice
        touchd.standardOutput = output
        try touchd.run()

        // A local socket buffers less than TCP.
        let inspector = try RunningInspector(
            "--socket", control, listen: "unix:\(folder.url.appending(path: "page").path)")
        var watched = Data()
        let told = try inspector.events(until: #""disconnected""#) {
            while try !TouchdProgram.run("status", "--socket", control).output.contains("1 subscribed") {}
            // The page reads nothing of its stream until touchd has ended.
            watched = try output.fileHandleForReading.readToEnd() ?? Data()
            touchd.waitUntilExit()
        }
        #expect(touchd.terminationStatus == 0 && String(decoding: watched, as: UTF8.self) == alone.output)
        let dropped = told.matches(of: /"event": "dropped", "count": (\d+)/).compactMap { Int($0.output.1) }
        #expect(dropped.reduce(0, +) > 0)
    }
}
