import Foundation
import Testing

@testable import TestSupport

/// Terminals of 40, 60 and 80 columns, and those that have only ASCII or no escapes.
@Suite struct NarrowTerminal {
    private func run(_ command: String, _ variables: String) throws -> TouchdProgram.Outcome {
        try TouchdProgram.run(["-c", "env \(variables) '\(TouchdProgram.path)' \(command)"], program: "/bin/sh")
    }

    @Test("the help of every command and key fits, and is not much longer", arguments: [40, 60, 80])
    func help(columns: Int) throws {
        for command in ["--help", "help", "run --help", "help check", "help gesture", "help exit-status", "help began"]
        {
            let lines = try run(command, "COLUMNS=\(columns)").lines
            let long = lines.filter {
                $0.count > columns && $0.split(separator: " ").count > 1 && !$0.hasPrefix("USAGE: ")
            }
            #expect(long == [], "\(command)")
        }
        #expect(try run("--help", "COLUMNS=\(columns)").lines.count < 150)
    }

    @Test("a section that several keys have is explained once")
    func sections() throws {
        #expect(try run("help began", "COLUMNS=80").lines.filter { $0.hasPrefix("  publish ") }.count <= 1)
    }

    @Test("the locale C gets x and not ×")
    func ascii() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("good.yaml", "screen: {size: [1920, 1080]}\nviews: [{id: a, frame: [0, 0, 1, 1]}]\n")
        #expect(try run("check \(file.path)", "LC_ALL=C").output.contains("1920 x 1080 points"))
        #expect(try run("check \(file.path)", "LC_ALL=C.UTF-8").output.contains("1920 × 1080 points"))
    }

    @Test("status and monitor fit into a terminal, and a pipe has whole lines", arguments: [40, 60, 80])
    func fitted(columns: Int) throws {
        let page = String(repeating: "page ", count: 20) + "end"
        let touchd = try RunningTouchd(layout: "screen: {size: [9, 9]}\npages: {start: {}, \(page): {}}\n").ready()
        func lines(_ command: String, until text: String, _ body: () throws -> Void = {}) throws -> [Substring] {
            var master: Int32 = -1, slave: Int32 = -1
            var size = winsize(ws_row: 24, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
            #expect(openpty(&master, &slave, nil, nil, &size) == 0)
            let process = Process()
            process.executableURL = URL(filePath: TouchdProgram.path)
            process.arguments = [command, "--socket", touchd.control]
            process.environment = ["COLUMNS": ""]
            process.standardOutput = FileHandle(fileDescriptor: slave, closeOnDealloc: true)
            let terminal = FileHandle(fileDescriptor: master, closeOnDealloc: true)
            try process.run()
            try body()
            var output = ""
            while !output.contains(text) { output += String(decoding: terminal.availableData, as: UTF8.self) }
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            return output.split(separator: "\r\n")
        }

        let status = try lines("status", until: "refused\r\n")
        let monitor = try lines("monitor", until: "end\r\n") {
            while try !touchd.command("status").output.contains("1 subscriber") {}
            #expect(try touchd.command("go", page).status == 0)
        }
        // A longer word stays whole.
        #expect((status + monitor).filter { $0.count > columns && $0.split(separator: " ").count > 2 } == [])
        #expect(status.count > 8 && monitor.count > 1)
        #expect(try touchd.command("status").lines.contains { $0.hasPrefix("layout ") && $0.contains(page) })
    }

    @Test("pages and screens of the layout are completed, and the commands of units are not")
    func completion() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.yaml", "screen: {size: [10, 10]}\npages: {start: {}, help: {}}\n")
        let words = try run("---completion hit -- --page 0 0 touchd hit -l \(file.path) --page ''", "A=").lines
        #expect(words.sorted() == ["help", "start"])
        let script = try run("--generate-completion-script bash", "A=").output
        #expect(!script.contains("exec-programs") && script.contains("selftest"))
        #expect(try !run("--help", "A=").output.contains("exec-programs"))
    }
}
