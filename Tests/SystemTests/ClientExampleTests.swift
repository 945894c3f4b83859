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
