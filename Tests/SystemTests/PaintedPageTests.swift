import Foundation
import Testing

@testable import TestSupport

/// What touchd hits on made-up pages in a real browser is what the browser hits there.
@Suite(.needs("chromium"), .serialized)
struct PaintedPageTests {
    private static let layout = """
        screen: {size: [1000, 1000]}
        views:
          - {slot: page, frame: [0, 0, 1000, 1000]}

        """

    /// Pages of each kind; `PAGES=200` for more.
    private static let pages = ProcessInfo.processInfo.environment["PAGES"].flatMap { Int($0) } ?? 20

    /// Without odd shapes, only what docs/web.md names is different: text that the browser paints over a later element.
    @Test(
        "at each point touchd hits the element that the browser hits",
        arguments: [("", 0.001), ("&odd", 0.005)])
    func random(kind: String, allowed: Double) throws {
        let touchd = try MockedKiosk(layout: Self.layout, size: (1000, 1000))
        let folder = TouchdProgram.root.appending(path: "Tests/SystemTests/Support/Pages").path
        let web = try RunningWeb(control: touchd.control, settings: "pages: \(folder)\n")
        let browser = try Chromium(width: 1000, height: 1000)
        let first = ProcessInfo.processInfo.environment["SEED"].flatMap { Int($0) } ?? Int.random(in: 1...1_000_000_000)
        print("seed of the first page\(kind): \(first)")

        var differences: [String] = [], count = 0
        for seed in first..<first + Self.pages {
            try browser.open("\(web.origin)/random.html?seed=\(seed)\(kind)", until: "window.touchd?.connected")
            for change in ["", "moves.forEach((move) => move())"] {
                try browser.evaluate("(async () => { \(change); await settled(); await moved(); await settled() })()")
                #expect(try browser.text("errors.join()") == "", "seed \(seed)\(kind)")
                for point in try browser.evaluate("points()") as? [[Any]] ?? [] {
                    let x = try #require(point[0] as? Double), y = try #require(point[1] as? Double)
                    let (rule, hit) = (point[2] as? String, try touchd.hit(x, y))
                    count += 1
                    if hit != rule {
                        differences.append(
                            "seed \(seed)\(kind) at \(x), \(y): \(hit ?? "nothing"), not \(rule ?? "nothing")")
                    }
                }
            }
        }
        #expect(count == Self.pages * 120)
        #expect(Double(differences.count) <= allowed * Double(count), "\(differences.joined(separator: "\n"))")
    }
}
