// Prints what looking for a point takes in layouts of 10 to 100,000 views, in TouchKit, Qt and GTK. The argument is the folder with
// the programs qt and gtk, made of Benchmarks/HitTest by hittest.sh. All are measured in turns; the least time is printed.
import Foundation
import TouchKit
import Workloads

let folder = URL(filePath: CommandLine.arguments[1])

/// The least nanoseconds of one of `count` things that a closure does, in 0.2 s.
func least(over count: Int, _ body: () -> Void) -> Double {
    func now() -> Double { Double(DispatchTime.now().uptimeNanoseconds) }
    var least = Double.infinity
    let start = now()
    repeat {
        let before = now()
        body()
        least = min(least, (now() - before) / Double(count))
    } while now() - start < 200_000_000
    return least
}

/// TouchKit's nanoseconds by column, and the number of the view at each point.
func measure(_ layout: Layout) -> (times: [String: Double], answers: [Int]) {
    let (root, views) = layout.views()
    let points = layout.points.map { CGPoint(x: $0.x, y: $0.y) }
    let answers = points.map { point in root.hitTest(point, with: nil).flatMap { $0 === root ? nil : $0.tag } ?? -1 }
    // The result is only compared with a view, as the other toolkits only store theirs.
    var misses = 0
    let hit = least(over: points.count) {
        for point in points where root.hitTest(point, with: nil) === root { misses &+= 1 }
    }
    // A view with subviews takes another path through the index when it moves; this row measures views without.
    let leaves = views.filter(\.subviews.isEmpty)
    var step = 0
    let move = least(over: 2000) {
        for _ in 0..<2000 {
            let view = leaves[step * 7919 % leaves.count]
            view.center.x += step.isMultiple(of: 2) ? 1 : -1
            if root.hitTest(points[step % points.count], with: nil) === root { misses &+= 1 }
            step += 1
        }
    }
    if misses == -1 { print("") }
    return (["TouchKit": hit, "TouchKit-move": move], answers)
}

/// Another toolkit's nanoseconds by column, of lines of a name and a number.
func measure(_ program: String, _ arguments: [String]) throws -> [String: Double] {
    let process = Process()
    let output = Pipe()
    process.executableURL = folder.appending(path: program)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging([
        "QT_QPA_PLATFORM": "offscreen", "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo", "GTK_A11Y": "none",
        "XDG_RUNTIME_DIR": folder.path,
    ]) { $1 }
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let lines = text.split(separator: "\n").map { $0.split(separator: " ") }
    return Dictionary(uniqueKeysWithValues: lines.map { (String($0[0]), Double($0[1]) ?? .nan) })
}

func cell(_ nanoseconds: Double?) -> String {
    guard let nanoseconds else { return "–" }
    if nanoseconds < 1000 { return String(format: "%.0f ns", nanoseconds) }
    return String(format: nanoseconds < 100_000 ? "%.1f µs" : "%.0f µs", nanoseconds / 1000)
}

let columns = [
    "TouchKit", "QGraphicsScene", "QWidget::childAt", "gtk_widget_pick", "TouchKit-move", "QGraphicsScene-move",
]
print("| views | \(columns[..<4].joined(separator: " | ")) | move and look | the same, QGraphicsScene |")
print("|---|---:|---:|---:|---:|---:|---:|")
var disagreements: [String] = []
for kind in Layout.Kind.allCases {
    for count in [10, 100, 1000, 10_000, 100_000] {
        let layout = Layout(kind, count: count)
        let scene = folder.appending(path: "scene.txt")
        try layout.file.write(to: scene, atomically: true, encoding: .utf8)
        let files = columns[1...3].map { folder.appending(path: "\($0).txt") }
        for file in files { try? FileManager.default.removeItem(at: file) }
        var times: [String: Double] = [:]
        var answers: [Int] = []
        for _ in 0..<3 {
            let own = measure(layout)
            answers = own.answers
            times.merge(own.times, uniquingKeysWith: min)
            try times.merge(measure("qt", [scene.path, files[0].path, files[1].path]), uniquingKeysWith: min)
            // With more views GTK needs minutes to show its window.
            if count <= 10_000 { try times.merge(measure("gtk", [scene.path, files[2].path]), uniquingKeysWith: min) }
        }
        for file in files {
            guard let text = try? String(contentsOf: file, encoding: .utf8) else { continue }
            let different = zip(text.split(separator: "\n").map { Int($0) ?? -2 }, answers).count { $0 != $1 }
            let name = file.deletingPathExtension().lastPathComponent
            if different > 0 { disagreements.append("\(name), \(kind) \(count): \(different) of \(answers.count)") }
        }
        print("| \(kind) \(count) | \(columns.map { cell(times[$0]) }.joined(separator: " | ")) |")
        fflush(nil)
    }
}
if !disagreements.isEmpty {
    print("\nPoints at which another toolkit found another view: \(disagreements.joined(separator: "; ")).")
}
