import CAllocationCounter
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
        for (subject, steadies) in [("moved touches", false), ("the same with accommodations", true)] {
            let moved = moves(steadies: steadies)
            check(
                subject, moved.allocations, isComplete: moved.touches == 10_000 && moved.pans > 1000,
                "\(moved.touches) touches (must be 10000), \(moved.pans) changes of the pan (must be more than 1000)")
        }
        let explored = explores()
        check(
            "a finger that explores", explored.allocations, isComplete: explored.focused > 1000,
            "\(explored.focused) elements (must be more than 1000)")
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
    private static func moves(steadies: Bool) -> (allocations: Int, touches: Int, pans: Int) {
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
        if steadies {
            application.inputFilters = [Accommodations(.init(ignoreRepeat: 1, steady: 5), application: application)]
        }
        let loop = EpollRunLoop.main
        application.attach(to: loop)

        let fingers = FiveFingers(on: application, moves: 2000)
        func deliver() { loop.run(mode: .tracking, until: .now, returnAfterSourceHandled: true) }
        _ = fingers.allocations(0..<1000, deliver: deliver)
        return (fingers.allocations(1000..<2000, deliver: deliver), calls, changes)
    }

    /// A finger over buttons and between them: the allocations in the second ten thousand frames, without those in which
    /// another button became the focus, and how many those are.
    private static func explores() -> (allocations: Int, focused: Int) {
        let application = Application()
        let screen = Screen(bounds: CGRect(x: 0, y: 0, width: 1024, height: 1024))
        let device = DeviceID(rawValue: 1)
        application.setScreen(screen, for: device)
        let window = Window(frame: screen.bounds, application: application, screen: screen)
        for number in 0..<50 {
            let button = Button(frame: CGRect(x: number * 20, y: 500, width: 10, height: 100))
            button.isEnabled = number % 2 == 0
            window.addSubview(button)
        }
        window.makeKeyAndVisible()
        var focused = 0
        application.inputFilters = [
            Exploring(on: screen, of: application) { if case .focused = $0 { focused += 1 } }
        ]
        let frames = (0..<20_000).map { step in
            InputFrame(
                device: device, timestamp: InputTimestamp(microseconds: Int64(step) * 8000),
                contacts: [
                    Contact(
                        id: 1, phase: step == 0 ? .began : .moved,
                        position: SurfacePoint(x: Double(step % 500) / 512, y: 0.55))
                ])
        }
        var allocations = 0
        for (step, frame) in frames.enumerated() {
            let before = (allocation_count(), focused)
            application.enqueue(frame)
            application.drainEvents()
            if step >= 10_000, focused == before.1 { allocations += Int(allocation_count() - before.0) }
        }
        return (allocations, focused)
    }
}
