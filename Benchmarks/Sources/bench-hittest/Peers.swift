import Foundation
import Workloads

/// The programs that measure other toolkits on the same layouts.
struct Peers {
    let directory: URL
    /// With more views GTK needs minutes to show its window.
    let mostForGTK = 10_000

    /// Nanoseconds a point by name; and the names whose answers are not those given.
    func measure(_ layout: Layout, answers: [Int]) -> (times: [String: Double], disagreeing: [String: Int]) {
        let scene = directory.appendingPathComponent("scene.txt")
        try? layout.file.write(to: scene, atomically: true, encoding: .utf8)
        var times: [String: Double] = [:]
        var disagreeing: [String: Int] = [:]
        let files = ["scene", "widget", "gtk"].map { directory.appendingPathComponent("answers-\($0)") }
        for file in files { try? FileManager.default.removeItem(at: file) }
        var output = run("qt", [scene.path, files[0].path, files[1].path])
        if layout.rectangles.count <= mostForGTK { output += run("gtk", [scene.path, files[2].path]) }
        for line in output.split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.count == 2, let time = Double(words[1]) { times[String(words[0])] = time }
        }
        for (name, file) in zip(["QGraphicsScene", "QWidget", "gtk_widget_pick"], files) {
            guard let text = try? String(contentsOf: file, encoding: .utf8) else { continue }
            let theirs = text.split(separator: "\n").map { Int($0) ?? -2 }
            let different = zip(theirs, answers).count { $0 != $1 }
            if different > 0 { disagreeing[name] = different }
        }
        return (times, disagreeing)
    }

    private func run(_ program: String, _ arguments: [String]) -> String {
        let process = Process()
        process.executableURL = directory.appendingPathComponent(program)
        process.arguments = arguments
        var environment = ProcessInfo.processInfo.environment
        environment["QT_QPA_PLATFORM"] = "offscreen"
        environment["GDK_BACKEND"] = "x11"
        environment["GSK_RENDERER"] = "cairo"
        environment["GTK_A11Y"] = "none"
        environment["XDG_RUNTIME_DIR"] = directory.path
        process.environment = environment
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        do { try process.run() } catch { return "" }
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self)
    }
}
