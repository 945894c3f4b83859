import Evdev
import Foundation

/// Scenarios from a seed.
struct ScenarioGenerator {
    var random: SeededGenerator
    private(set) var scenario = Scenario()
    /// Where fingers are down.
    var down: [UInt32: CGPoint] = [:]
    private var lastFinger: UInt32 = 0
    private var ignoring = 0

    static func scenario(seed: UInt64, steps: Int) -> Scenario {
        var generator = ScenarioGenerator(random: SeededGenerator(seed: seed))
        generator.makeScene(windows: generator.random.chance(15) ? 2 : 1, recognizers: 0...4)
        for _ in 0..<steps { generator.scenario.steps.append(generator.step()) }
        return generator.scenario
    }

    init(random: SeededGenerator) { self.random = random }

    // MARK: The scene

    mutating func makeScene(windows: Int, recognizers: ClosedRange<Int>) {
        for number in 0..<windows {
            let frame = number == 0 ? CGRect(x: 0, y: 0, width: 1024, height: 1024) : rect(in: 1024)
            scenario.views.append(
                ViewPlan(
                    parent: nil, frame: frame,
                    flags: flags(percent: 4, of: [.hidden, .untouchable, .multiple, .exclusive, .silent])))
        }
        for _ in 0..<Int.random(in: 1...5, using: &random) {
            let parent = Int.random(in: 0..<scenario.views.count, using: &random)
            let kind: ViewPlan.Kind = random.chance(70) ? .plain : .button
            var flags = flags(percent: 8, of: ViewPlan.Flag.allCases)
            if random.chance(40) { flags.insert(.multiple) }
            scenario.views.append(
                ViewPlan(
                    parent: parent, frame: rect(in: scenario.views[parent].frame.width), kind: kind, flags: flags))
        }
        for index in 0..<Int.random(in: recognizers, using: &random) { scenario.recognizers.append(recognizer(index)) }
        for _ in 0..<Int.random(in: 0...3, using: &random) { scenario.reactions.append(reaction()) }
    }

    private mutating func flags<Flag: Hashable>(percent: Int, of all: [Flag]) -> Set<Flag> {
        var flags: Set<Flag> = []
        for flag in all where random.chance(percent) { flags.insert(flag) }
        return flags
    }

    mutating func recognizer(_ index: Int) -> RecognizerPlan {
        let all = RecognizerPlan.Kind.allCases
        let kind = all.filter { $0.logsCalls || random.chance(50) }.randomElement(using: &random) ?? .watcher
        let view = Int.random(in: 0..<scenario.views.count, using: &random)
        var plan = RecognizerPlan(kind: kind, view: view, flags: flags(percent: 5, of: RecognizerPlan.Flag.allCases))
        for flag in [RecognizerPlan.Flag.leavesTouches, .delaysBegan, .endsAtOnce] where random.chance(20) {
            plan.flags.insert(flag)
        }
        if !kind.logsCalls { plan.flags.subtract([.unpreventable, .harmless]) }
        // A recognizer waits only for earlier ones, so that no two wait for each other.
        for other in 0..<index {
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<15: plan.requires.append(other)
            case 15..<20: plan.waitsFor.append(other)
            case 20..<25: scenario.recognizers[other].holdsUp.append(index)
            case 25..<45: plan.alongside.append(other)
            case 45..<50: scenario.recognizers[other].alongside.append(index)
            default: break
            }
        }
        return plan
    }

    mutating func reaction() -> Reaction {
        let view = Int.random(in: 0..<scenario.views.count, using: &random)
        let recognizer = Int.random(in: 0..<max(1, scenario.recognizers.count), using: &random)
        let call: String =
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<25: "v\(view) began"
            case 25..<35: "v\(view) moved"
            case 35..<45: "v\(view) ended"
            case 45..<55: "v\(view) cancelled"
            case 55..<75: "r\(recognizer) ended"
            case 75..<85: "r\(recognizer) began"
            case 85..<90: "r\(recognizer) changed"
            case 90..<95: "v\(view) touchDown"
            default: "v\(view) touchUpInside"
            }
        return Reaction(call: call, change: change())
    }

    // MARK: Steps

    private mutating func step() -> Step {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<80: return .frame(after: delay(), fingers())
        case 80..<92: return .wait([60, 200, 400, 800].randomElement(using: &random) ?? 60)
        default: return .change(change())
        }
    }

    mutating func delay() -> Int { [7, 11, 13, 29, 97].randomElement(using: &random) ?? 11 }

    mutating func fingers() -> [Step.Finger] {
        var fingers: [Step.Finger] = []
        for (id, place) in down.sorted(by: { $0.key < $1.key }) where random.chance(70) {
            let draw = Int.random(in: 0..<100, using: &random)
            let phase: Contact.Phase = draw < 62 ? .moved : draw < 95 ? .ended : .cancelled
            let place = phase == .moved ? near(place) : place
            fingers.append(.init(id: id, phase: phase, x: place.x, y: place.y))
            down[id] = phase == .moved ? place : nil
        }
        while down.count < 3, fingers.isEmpty || random.chance(15) {
            lastFinger += 1
            let place = place()
            fingers.append(.init(id: lastFinger, phase: .began, x: place.x, y: place.y))
            down[lastFinger] = place
        }
        fingers.shuffle(using: &random)
        return fingers
    }

    mutating func change() -> Change {
        let view = Int.random(in: 0..<scenario.views.count, using: &random)
        let other = Int.random(in: 0..<scenario.views.count, using: &random)
        let recognizer = scenario.recognizers.indices.randomElement(using: &random)
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<20: return .remove(view: view)
        case 20..<40: return .add(view: view, to: other)
        case 40..<48: return .hide(view: view, random.chance(40))
        case 48..<56: return .interaction(view: view, random.chance(60))
        case 56..<62: return .enable(view: view, random.chance(60))
        case 62..<66: return .toFront(view: view)
        case 66..<69 where recognizer != nil: return .flip(recognizer: recognizer ?? 0)
        case 69..<72 where recognizer != nil: return .fail(recognizer: recognizer ?? 0)
        case 66..<90:
            guard let recognizer else { return .remove(view: view) }
            if random.chance(60) { return .turn(recognizer: recognizer, on: random.chance(50)) }
            return random.chance(40) ? .detach(recognizer: recognizer) : .attach(recognizer: recognizer, to: view)
        case 90..<94: return .cancelAll
        default: return .ignore(random.chance(30))
        }
    }

    // MARK: Places

    /// A point on a coarse grid, so that fingers hit the edges of views.
    mutating func place() -> CGPoint {
        CGPoint(x: 32 * Int.random(in: 0..<32, using: &random), y: 32 * Int.random(in: 0..<32, using: &random))
    }

    private mutating func near(_ place: CGPoint) -> CGPoint {
        if random.chance(15) { return self.place() }
        let steps: [CGFloat] = [-60, -20, -6, 0, 4, 6, 9, 20, 55]
        let (x, y) = (steps.randomElement(using: &random) ?? 0, steps.randomElement(using: &random) ?? 0)
        return CGPoint(x: min(max(0, place.x + (x == 0 && y == 0 ? 1 : x)), 1023), y: min(max(0, place.y + y), 1023))
    }

    private mutating func rect(in width: CGFloat) -> CGRect {
        CGRect(
            x: 32 * Int.random(in: -2..<8, using: &random), y: 32 * Int.random(in: -2..<8, using: &random),
            width: 32 * Int.random(in: 4..<32, using: &random), height: 32 * Int.random(in: 4..<32, using: &random))
    }
}
