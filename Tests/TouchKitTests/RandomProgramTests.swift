import Evdev
import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

/// Programs that do in their callbacks whatever the API permits, while fingers touch two screens. No second
/// implementation says what must happen: the rules say what holds after each step and at the end.
@Suite("Random programs")
struct RandomProgramTests {
    @Test("the rules hold whatever a program does in its callbacks")
    func randomPrograms() {
        var (steps, seed, found) = (0, UInt64(ReferenceTests.seed), 0)
        while steps < ReferenceTests.steps {
            // A long program shows a list that grows.
            let program = RandomProgram(seed: seed, steps: seed % 100 == 0 ? 1000 : 25)
            steps += program.steps.count
            if let failure = ProgramRun.failures(of: program).first {
                let short = program.shrunk(whileItBreaks: failure)
                Issue.record("seed \(seed): \(ProgramRun.failures(of: short).joined(separator: "\n"))\n\(short.text)")
                found += 1
                if found == 3 { return }
            }
            seed += 1
        }
    }
}

/// A scene on two screens, what its callbacks do, and its input.
nonisolated struct RandomProgram: Sendable, Equatable {
    /// The recognizers that a scenario does not have.
    enum Kind: Sendable, CaseIterable { case pinch, rotation, edge, hover, sequence, chord }
    /// A call of the program in a callback or between events.
    enum Operation: Sendable, Equatable {
        case change(Change)
        case set(recognizer: Int, GestureRecognizer.State)
        case require(recognizer: Int, Int)
        case ignoreTouches(recognizer: Int)
        case cancelTracking(view: Int)
        case firstResponder(view: Int, Bool)
        case layout(view: Int)
        /// How often the window passes an event to super.
        case passEvents(window: Int, times: Int)
        case show(window: Int)
        case move(window: Int, screen: Int)
        case setActive(Bool)
        case sendAgain, drain
        case removeDevice(DeviceID)
        case finger(screen: Int, Step.Finger)
    }
    /// An operation in the first such call.
    struct Callback: Sendable, Equatable {
        var call: String
        var operation: Operation
    }
    enum Input: Sendable, Equatable {
        case fingers(screen: Int, [Step.Finger])
        case wait(TimeInterval)
        case unplug(DeviceID)
        case key(KeyChange.Action)
        case pointer(x: CGFloat, y: CGFloat)
        case button(KeyChange.Action)
        case operation(Operation)
    }

    var views: [ViewPlan] = []
    var recognizers: [RecognizerPlan] = []
    /// The kinds of those that are not of the kind of their plan.
    var kinds: [Int: Kind] = [:]
    var callbacks: [Callback] = []
    var steps: [Input] = []

    static let screens = [DeviceID.touchscreen, DeviceID(rawValue: 11)]

    var text: String {
        ((views as [Any]) + recognizers + [kinds] + callbacks + steps).map { "\($0)" }.joined(separator: "\n")
    }
}

// MARK: - Generating

extension RandomProgram {
    init(seed: UInt64, steps count: Int) {
        var scene = ScenarioGenerator(random: SeededGenerator(seed: seed))
        scene.makeScene(windows: Int.random(in: 2...3, using: &scene.random), recognizers: 0...6)
        (views, recognizers) = (scene.scenario.views, scene.scenario.recognizers)
        views[1].frame = views[0].frame
        for index in recognizers.indices where scene.random.chance(50) {
            kinds[index] = Kind.allCases.randomElement(using: &scene.random)
        }
        // The fingers that are down on the other screen.
        var others: [UInt32: CGPoint] = [:]
        if scene.random.chance(30) {
            // It rests for the whole program.
            let place = scene.place()
            steps.append(.fingers(screen: 0, [.init(id: 1_000_000, phase: .began, x: place.x, y: place.y)]))
        }
        for _ in 0..<Int.random(in: 0...8, using: &scene.random) {
            callbacks.append(Callback(call: call(&scene), operation: operation(&scene)))
        }
        var screen = 0
        while steps.count < count {
            if scene.random.chance(30) {
                swap(&scene.down, &others)
                screen = 1 - screen
            }
            steps.append(input(&scene, screen))
        }
    }

    private func call(_ scene: inout ScenarioGenerator) -> String {
        let ofView = ["began", "moved", "ended", "cancelled", "hitTest", "layout", "hoverBegan", "hoverEnded"]
        let ofOthers = ["pressesBegan", "pressesEnded", "sendEvent", "touchDown", "touchUpInside", "touchCancel"]
        let ofRecognizer = [
            "began", "changed", "ended", "cancelled", "shouldBegin", "shouldReceive", "shouldReceiveEvent",
            "touchesBegan", "touchesEnded", "reset",
        ]
        if scene.random.chance(50), let index = recognizers.indices.randomElement(using: &scene.random) {
            return "r\(index) \(ofRecognizer.randomElement(using: &scene.random) ?? "")"
        }
        let index = Int.random(in: 0..<views.count, using: &scene.random)
        return "v\(index) \((ofView + ofOthers).randomElement(using: &scene.random) ?? "")"
    }

    private func operation(_ scene: inout ScenarioGenerator) -> Operation {
        let view = Int.random(in: 0..<views.count, using: &scene.random)
        let recognizer = recognizers.indices.randomElement(using: &scene.random)
        let other = recognizers.indices.randomElement(using: &scene.random) ?? 0
        let states: [GestureRecognizer.State] = [.possible, .began, .changed, .ended, .cancelled, .failed]
        switch Int.random(in: 0..<100, using: &scene.random) {
        case 0..<10:
            guard let recognizer else { return .drain }
            return .set(recognizer: recognizer, states.randomElement(using: &scene.random) ?? .failed)
        case 10..<14: return recognizer.map { .require(recognizer: $0, other) } ?? .drain
        case 14..<18: return recognizer.map { .ignoreTouches(recognizer: $0) } ?? .drain
        case 18..<22: return .cancelTracking(view: view)
        case 22..<26: return .firstResponder(view: view, scene.random.chance(70))
        case 26..<28: return .layout(view: view)
        case 28..<34: return .passEvents(window: view, times: Int.random(in: 0...2, using: &scene.random))
        case 34..<38: return .show(window: view)
        case 38..<40: return .move(window: view, screen: scene.random.chance(50) ? 0 : 1)
        case 40..<44: return .setActive(scene.random.chance(70))
        case 44..<48: return .sendAgain
        case 48..<50: return .drain
        case 50..<52: return .removeDevice(Self.screens.randomElement(using: &scene.random) ?? .mouse)
        case 52..<56:
            let place = scene.place()
            return .finger(screen: 0, .init(id: UInt32(view) + 2_000_000, phase: .began, x: place.x, y: place.y))
        default: return .change(scene.change())
        }
    }

    private func input(_ scene: inout ScenarioGenerator, _ screen: Int) -> Input {
        let actions: [KeyChange.Action] = [.pressed, .repeated, .released]
        switch Int.random(in: 0..<100, using: &scene.random) {
        case 0..<68: return .fingers(screen: screen, scene.fingers())
        case 68..<78: return .wait([0.06, 0.2, 0.4, 0.8].randomElement(using: &scene.random) ?? 1)
        case 78..<80: return .wait([7200, -3600].randomElement(using: &scene.random) ?? 1)
        case 80..<82:
            return .unplug((Self.screens + [.mouse, .keyboard]).randomElement(using: &scene.random) ?? .mouse)
        case 82..<86: return .key(actions.randomElement(using: &scene.random) ?? .pressed)
        case 86..<90:
            let place = scene.place()
            return .pointer(x: place.x, y: place.y)
        case 90..<93: return .button(scene.random.chance(50) ? .pressed : .released)
        default: return .operation(operation(&scene))
        }
    }
}

// MARK: - Shrinking

extension RandomProgram {
    /// A shorter program that breaks the same rule.
    func shrunk(whileItBreaks failure: String) -> Self {
        var (best, isShorter) = (self, true)
        func tryChange(_ change: (inout Self) -> Void) {
            var program = best
            change(&program)
            let rule = failure.prefix { $0 != ":" }
            guard program != best, ProgramRun.failures(of: program).contains(where: { $0.hasPrefix(rule) })
            else { return }
            (best, isShorter) = (program, true)
        }
        while isShorter {
            isShorter = false
            var size = best.steps.count
            while size > 0 {
                for start in stride(from: 0, to: best.steps.count, by: size).reversed() {
                    tryChange { $0.steps.removeSubrange(start..<min(start + size, $0.steps.count)) }
                }
                size /= 2
            }
            for index in best.callbacks.indices.reversed() { tryChange { $0.callbacks.remove(at: index) } }
            for index in best.recognizers.indices {
                tryChange {
                    // The others keep their numbers.
                    $0.recognizers[index] = RecognizerPlan(kind: .watcher, view: 0, flags: [.off])
                    $0.kinds[index] = nil
                }
                for flag in best.recognizers[index].flags where flag != .off {
                    tryChange { $0.recognizers[index].flags.remove(flag) }
                }
                for list in [\RecognizerPlan.requires, \.waitsFor, \.holdsUp, \.alongside] {
                    tryChange { $0.recognizers[index][keyPath: list] = [] }
                }
            }
            for index in best.views.indices {
                for flag in best.views[index].flags { tryChange { $0.views[index].flags.remove(flag) } }
            }
        }
        return best
    }
}
