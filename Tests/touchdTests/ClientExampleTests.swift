import Foundation
import Testing

/// The program under Examples/Clients, as a client of a running touchd.
@Suite struct ClientExamples {
    @Test("the Python client's button is hit while the program runs, and touchd names the program")
    func button() throws {
        let touchd = try RunningTouchd(
            layout: """
                screen: {size: [1920, 1080]}
                views: [{id: wall, frame: [0, 0, 1920, 1080]}, {slot: page, frame: [0, 0, 1920, 1080]}]

                """)
        try touchd.waitForTouch()
        let client = Process(), output = Pipe()
        client.executableURL = URL(filePath: "/usr/bin/env")
        client.arguments = [
            "python3", TouchdProgram.root.appending(path: "Examples/Clients/button.py").path, "page", touchd.control,
        ]
        client.standardOutput = output
        try client.run()
        var first = Data()
        while first.last != UInt8(ascii: "\n"), case let part = output.fileHandleForReading.availableData, !part.isEmpty
        {
            first += part
        }
        #expect(String(decoding: first, as: UTF8.self) == "published in 1920 × 1080 points\n")
        let hit = try touchd.command("hit", "960", "540", "--running", "--explain").output
        #expect(hit.hasPrefix("view 'button' (published by button.py)\n"))
        #expect(try touchd.command("hit", "10", "10", "--running").output.hasPrefix("view 'wall' ("))
        // A child of Swift Testing may have SIGTERM blocked, and Python leaves it so.
        kill(client.processIdentifier, SIGKILL)
        client.waitUntilExit()
        // touchd reads the end of the connection in its next pass at the latest.
        while try touchd.command("hit", "960", "540", "--running").output.hasPrefix("view 'button'") {}
        #expect(try touchd.command("hit", "960", "540", "--running").output.hasPrefix("view 'wall' ("))
        touchd.signal(SIGTERM)
        #expect(touchd.end() == 0)
    }
}
