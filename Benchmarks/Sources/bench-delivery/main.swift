// Prints what it takes from a frame of a device to the handler of a view, five levels deep, with three recognizers.
//
// Times are of `Application.enqueue` and `drainEvents` together: the handler is called in them. The least of many
// repetitions is printed, since whatever else the machine does only adds.
import CMallocCount
import Evdev
import Foundation
import Workloads

func now() -> UInt64 { DispatchTime.now().uptimeNanoseconds }

/// The least nanoseconds of one of `count` calls, over repetitions; and how often memory was asked for in the last.
@MainActor func least(_ repetitions: Int, of count: Int, _ body: (Int) -> Void) -> (time: Double, allocations: UInt) {
    var least = Double.infinity
    var allocations: UInt = 0
    for _ in 0..<repetitions {
        let (calls, start) = (malloc_calls(), now())
        for step in 0..<count { body(step) }
        least = min(least, Double(now() - start) / Double(count))
        allocations = malloc_calls() - calls
    }
    return (least, allocations)
}

@MainActor func moved(_ count: Int, isPanning: Bool) -> (time: Double, allocations: UInt) {
    let fingers = Fingers()
    var best = (time: Double.infinity, allocations: UInt(0))
    for _ in 0..<100 {
        let contacts = fingers.newContacts(count)
        fingers.send(fingers.frame(contacts, .began, step: 0, after: 2_000_000))
        if isPanning { fingers.beginPan(contacts) }
        // 1,000 frames a second; all within half a second of the frames' clock, so that the long press stays undecided.
        let frames = fingers.moves(contacts, 400)
        let before = fingers.calls
        let result = least(1, of: frames.count) { fingers.send(frames[$0]) }
        precondition(fingers.calls - before == frames.count * count, "a move was not delivered")
        best = (min(best.time, result.time), result.allocations)
        fingers.send(fingers.frame(contacts, .ended, step: 0))
    }
    return best
}

/// The least nanoseconds of a began and of an ended, each by the clock on its own.
@MainActor func beganAndEnded(siblings: Int) -> (began: Double, ended: Double, allocations: UInt) {
    let fingers = Fingers(siblings: siblings)
    var (began, ended) = (UInt64.max, UInt64.max)
    var allocations: UInt = 0
    for _ in 0..<20_000 {
        let contacts = fingers.newContacts(1)
        let down = fingers.frame(contacts, .began, step: 0, after: 2_000_000)
        let up = fingers.frame(contacts, .ended, step: 0, after: 2_000_000)
        let calls = malloc_calls()
        let start = now()
        fingers.send(down)
        let middle = now()
        fingers.send(up)
        ended = min(ended, now() - middle)
        began = min(began, middle - start)
        allocations = malloc_calls() - calls
    }
    return (Double(began), Double(ended), allocations)
}

func text(_ nanoseconds: Double) -> String {
    nanoseconds < 10_000 ? String(format: "%.0f ns", nanoseconds) : String(format: "%.1f µs", nanoseconds / 1000)
}

print("| from a frame to the return of the handler | time | allocations once warm |")
print("|---|---:|---:|")
for (count, isPanning) in [(1, false), (1, true), (10, false), (10, true)] {
    let result = moved(count, isPanning: isPanning)
    let name = "moved, \(count == 1 ? "1 finger" : "10 fingers in a frame"), \(isPanning ? "pan begun" : "undecided")"
    print("| \(name) | \(text(result.time)) | \(result.allocations) in 400 frames |")
}
for siblings in [0, 1000, 20_000] {
    let result = beganAndEnded(siblings: siblings)
    print(
        "| began, with hit-testing, \(siblings + 6) views | \(text(result.began)) | \(result.allocations) with its end |"
    )
    print("| ended | \(text(result.ended)) | |")
}
print()
printQueue()
