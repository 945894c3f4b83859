import Foundation
import Synchronization

/// Publishes in each way, one after the other, and then as twenty pages; returns the rows of the table.
nonisolated func publishAll(_ finger: Finger, _ path: String) -> [String] {
    let page = Page(0, path)
    let first = page.views("a", offset: 0), moved = page.views("a", offset: 1), second = page.views("b", offset: 0)
    let empty = page.request(views: "[]")
    func measure(_ name: String, _ request: (Int) -> (before: String?, timed: String)) -> String {
        let before = finger.begin()
        let durations = (0..<100).map { time in
            let (prepared, timed) = request(time)
            if let prepared { _ = page.request(prepared) }
            usleep(20_000)
            return page.request(timed)
        }
        return finger.row(name, since: before, durations)
    }
    return [
        measure("none") { _ in (nil, #"{"request":"hello"}"#) },
        measure("2,000 views into an empty slot") { _ in (empty, page.request(views: first)) },
        measure("2,000 views replaced") { (nil, page.request(views: $0.isMultiple(of: 2) ? second : first)) },
        measure("2,000 views moved, by `views`") {
            ($0 == 0 ? page.request(views: first) : nil, page.request(views: $0.isMultiple(of: 2) ? moved : first))
        },
        measure("2,000 views moved, by `move`") { (nil, page.move(offset: Double($0 % 2))) },
        measure("the same 2,000 views") {
            ($0 == 0 ? page.request(views: first) : nil, page.request(views: first))
        },
        publishTwentyPages(finger, path, page),
    ]
}

/// Twenty pages publish other views ten times a second, for 5 s. Like `touchd.js`, each waits for the answer, and then
/// publishes its newest list.
private nonisolated func publishTwentyPages(_ finger: Finger, _ path: String, _ first: Page) -> String {
    let durations = Mutex<[Double]>([]), done = DispatchSemaphore(value: 0), before = finger.begin()
    for number in 0..<20 {
        Thread.detachNewThread {
            let page = number == 0 ? first : Page(number, path)
            let lists = ["c", "d"].map { page.request(views: page.views($0, offset: 0)) }
            let start = Date()
            for time in 0..<50 {
                let due = start.addingTimeInterval(Double(time) / 10 + Double(number) / 200)
                // The next list is there already.
                guard due.timeIntervalSinceNow > -0.1 else { continue }
                Thread.sleep(until: due)
                let duration = page.request(lists[time % 2])
                durations.withLock { $0.append(duration) }
            }
            done.signal()
        }
    }
    for _ in 0..<20 { done.wait() }
    let times = durations.withLock { $0 }
    return finger.row("20 pages ten times a second: \(times.count) of 1,000 lists", since: before, times)
}
