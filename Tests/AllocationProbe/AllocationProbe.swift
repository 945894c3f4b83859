import Evdev
import EventLoop
import Foundation
import TouchKit

/// Counts memory allocations while fingers move: from queueing a frame to the return of the last handler, while decoded
/// reports are kept for a recording, and during inspection. Prints a line for each, and exits with status 1 if one allocates.
/// Only an optimized build allocates nothing.
@main
enum AllocationProbe {
    static func main() throws {
        var isGood = true
        func check(_ subject: String, _ allocations: Int, isComplete: Bool = true, _ work: String) {
            print(
                allocations == 0 && isComplete ? "pass " : "FAIL ",
                "\(subject): \(allocations) allocations (must be 0), \(work)")
            if allocations != 0 || !isComplete { isGood = false }
        }
        let moved = moves()
        check(
            "moved touches", moved.allocations, isComplete: moved.touches == 10_000 && moved.pans > 1000,
            "\(moved.touches) touches (must be 10000), \(moved.pans) changes of the pan (must be more than 1000)")
        for (subject, filtersJumps) in [
            ("reports kept for a recording", false), ("the same with a filter for jumps", true),
        ] {
            let kept = KeptMoves.allocations(filtersJumps: filtersJumps)
            check(
                subject, kept ?? 0, isComplete: kept != nil,
                kept == nil ? "the private touches were not kept as expected" : "\(KeptMoves.count) reports")
        }
        let forwarded = ForwardedMoves.count()
        check(
            "forwarded touches", forwarded.allocations, isComplete: forwarded.events == 28_029,
            "\(forwarded.events) events (must be 28029)")
        let inspected = try InspectedMoves()
        check("before an inspection", inspected.before, "1000 frames")
        check(
            "after an inspection", inspected.after,
            isComplete: inspected.meanwhile > 0 && inspected.records > 50 && inspected.isOver,
            "\(inspected.meanwhile) during it (must be more than 0), \(inspected.records) records (must be more than 50)"
                + (inspected.isOver ? "" : ", and records after its end"))
        #if DEBUG
            if !isGood {
                print(
                    "this is a debug build, which allocates more; run: swift build -c release --product AllocationProbe"
                )
            }
        #endif
        exit(isGood ? 0 : 1)
    }

    /// Five fingers over ten nested views: the allocations for the second thousand frames, and what was delivered in all.
    private static func moves() -> (allocations: Int, touches: Int, pans: Int) {
        let application = Application()
        let screen = Screen(bounds: CGRect(x: 0, y: 0, width: 1024, height: 1024))
        let device = DeviceID(rawValue: 1)
        application.setScreen(screen, for: device)
        let window = Window(frame: screen.bounds, application: application, screen: screen)
        var parent: View = window
        for _ in 0..<10 {
            let view = View(frame: screen.bounds)
            view.isMultipleTouchEnabled = true
            parent.addSubview(view)
            parent = view
        }
        var distance: CGFloat = 0
        var calls = 0
        window.addHandler(for: .moved) { touch, _ in
            calls += 1
            distance += touch.location(in: touch.view).x - touch.previousLocation(in: touch.view).x
        }
        var changes = 0
        let pan = PanGestureRecognizer { recognizer in
            changes += recognizer.state == .changed ? 1 : 0
        }
        pan.cancelsTouchesInView = false
        parent.addGestureRecognizer(pan)
        window.makeKeyAndVisible()
        let loop = EpollRunLoop.main
        application.attach(to: loop)

        let fingers = FiveFingers(on: application, moves: 2000)
        func deliver() { loop.run(mode: .tracking, until: .now, returnAfterSourceHandled: true) }
        _ = fingers.allocations(0..<1000, deliver: deliver)
        return (fingers.allocations(1000..<2000, deliver: deliver), calls, changes)
    }
}
