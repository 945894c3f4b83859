// Prints what looking for a point takes in layouts of 10 to 100,000 views, in TouchKit and other toolkits.
//
//     bench-hittest DIRECTORY [--repetitions N] [--kind NAME] [--most COUNT]
//
// DIRECTORY has the programs qt and gtk, made of Benchmarks/HitTest by bench-hittest.sh; without them, only TouchKit is
// measured. All toolkits are measured in turn, and the least time of the repetitions is printed.
import Foundation
import Workloads

var arguments = CommandLine.arguments.dropFirst()
func option(_ name: String) -> String? {
    guard let place = arguments.firstIndex(of: name), place + 1 < arguments.endIndex else { return nil }
    return arguments[place + 1]
}
let peers = Peers(directory: URL(fileURLWithPath: arguments.first ?? "."))
let repetitions = option("--repetitions").flatMap(Int.init) ?? 3
let kinds = option("--kind").flatMap(Layout.Kind.init).map { [$0] } ?? Layout.Kind.allCases
let most = option("--most").flatMap(Int.init) ?? 100_000

func cell(_ nanoseconds: Double?) -> String {
    guard let nanoseconds, nanoseconds.isFinite else { return "–" }
    if nanoseconds < 1000 { return String(format: "%.0f ns", nanoseconds) }
    return String(format: nanoseconds < 100_000 ? "%.1f µs" : "%.0f µs", nanoseconds / 1000)
}

let head = [
    "views", "TouchKit", "plain recursion", "QGraphicsScene", "QWidget::childAt", "gtk_widget_pick", "move and look",
    "the same, QGraphicsScene", "index, bytes a view", "first look",
]
print("| \(head.joined(separator: " | ")) |")
print("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
var disagreements: [String] = []
for kind in kinds {
    for count in [10, 100, 1000, 10_000, 100_000] where count <= most {
        let layout = Layout(kind, count: count)
        var best = Own()
        var times: [String: Double] = [:]
        for repetition in 0..<repetitions {
            let own = Own.measure(layout)
            best.hit = min(best.hit, own.hit)
            best.plain = min(best.plain, own.plain)
            best.move = min(best.move, own.move)
            best.firstHit = repetition == 0 ? own.firstHit : min(best.firstHit, own.firstHit)
            best.indexBytes = own.indexBytes
            let peer = peers.measure(layout, answers: own.answers)
            times.merge(peer.times) { min($0, $1) }
            for (name, number) in peer.disagreeing where repetition == 0 {
                disagreements.append("\(name), \(kind) \(count): \(number) of \(layout.points.count)")
            }
        }
        let cells = [
            "\(kind) \(count)", cell(best.hit), cell(best.plain), cell(times["QGraphicsScene"]),
            cell(times["QWidget"]), cell(times["gtk_widget_pick"]), cell(best.move),
            cell(times["QGraphicsScene-move"]), String(format: "%.0f", best.indexBytes), cell(best.firstHit),
        ]
        print("| \(cells.joined(separator: " | ")) |")
        fflush(nil)
    }
}
if !disagreements.isEmpty {
    print("\nPoints at which another toolkit found another view: \(disagreements.joined(separator: "; ")).")
}
