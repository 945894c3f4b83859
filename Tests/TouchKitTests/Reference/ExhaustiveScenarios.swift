import Foundation

/// Every scene of one to three views, each with at most one flag, and of up to two recognizers of five kinds, with
/// every script of up to two fingers and six events. Scenarios are numbered, so that each can be created separately.
struct ExhaustiveScenarios {
    private static let trees: [[Int]] = [
        [0], [0, 0], [0, 1], [0, 0, 0], [0, 0, 1], [0, 0, 2], [0, 1, 0], [0, 1, 1], [0, 1, 2],
    ]
    private static let flags: [ViewPlan.Flag?] = [nil] + ViewPlan.Flag.allCases
    private static let kinds: [RecognizerPlan.Kind] = [.tap, .doubleTap, .press, .pan, .swipe]
    /// The relation of two recognizers: none, the second requires the first to fail, or both recognize simultaneously.
    private static let relations = 3
    /// `cancelsTouchesInView`, `delaysTouchesBegan` and `delaysTouchesEnded`, each on and off.
    private static let touchFlags: [Set<RecognizerPlan.Flag>] = (0..<8).map { bits in
        Set(
            [.leavesTouches, .delaysBegan, .endsAtOnce].enumerated().filter { bits & (1 << $0.offset) != 0 }.map(
                \.element))
    }

    /// The next event: a finger comes down, moves a little or far, lifts or is cancelled; or time passes.
    private enum Move: Hashable { case down(Int), nudge(Int), stroke(Int), lift(Int), cancel(Int), pause }

    /// All scripts, in which the second finger comes down only after the first.
    private static let scripts: [[Move]] = {
        var all: [[Move]] = []
        func extend(_ script: [Move], _ down: Set<Int>, _ used: Int) {
            if !script.isEmpty { all.append(script) }
            if script.count == 6 { return }
            for finger in down.sorted() {
                for move in [Move.nudge(finger), .stroke(finger)] { extend(script + [move], down, used) }
                for move in [Move.lift(finger), .cancel(finger)] {
                    extend(script + [move], down.subtracting([finger]), used)
                }
            }
            // A lifted finger may come down again; at most two are down.
            for finger in 0..<2 where !down.contains(finger) && finger <= used {
                extend(script + [.down(finger)], down.union([finger]), max(used, finger + 1))
            }
            if !script.isEmpty && script.last != .pause { extend(script + [.pause], down, used) }
        }
        extend([], [], 0)
        return all
    }()

    /// The number of scenarios: views with flags, times recognizers, times scripts.
    static let count = trees.indices.reduce(0) { $0 + scenes(in: $1) } * scripts.count

    private static func scenes(in tree: Int) -> Int {
        let views = trees[tree].count
        let one = (views + 1) * kinds.count * touchFlags.count
        let recognizers = 1 + one + one * one * relations
        return Int(pow(Double(flags.count), Double(views))) * recognizers
    }

    /// The scenario with a number.
    static func scenario(_ number: Int) -> Scenario {
        var rest = number
        func next(_ count: Int) -> Int {
            defer { rest /= count }
            return rest % count
        }
        let script = scripts[next(scripts.count)]
        var tree = 0
        while rest >= scenes(in: tree) {
            rest -= scenes(in: tree)
            tree += 1
        }
        let window = CGRect(x: 0, y: 0, width: Scenario.side, height: Scenario.side)
        var scenario = Scenario(views: [ViewPlan(parent: nil, frame: window)])
        for (index, parent) in trees[tree].enumerated() {
            // Each frame is smaller than the previous one, so that some points are in one, in two and in all.
            let frame = CGRect(x: 64 * index, y: 64 * index, width: 640 - 64 * index, height: 640 - 64 * index)
            scenario.views.append(ViewPlan(parent: parent, frame: frame, kind: index == 1 ? .button : .plain))
            if let flag = flags[next(flags.count)] { scenario.views[index + 1].flags = [flag] }
        }
        let one = scenario.views.count * kinds.count * touchFlags.count
        func recognizer() -> RecognizerPlan {
            let kind = kinds[next(kinds.count)]
            return RecognizerPlan(
                kind: kind, view: next(scenario.views.count), flags: touchFlags[next(touchFlags.count)])
        }
        if rest > one {
            rest -= one + 1
            scenario.recognizers = [recognizer(), recognizer()]
            switch next(relations) {
            case 1: scenario.recognizers[1].requires = [0]
            case 2: scenario.recognizers[1].alongside = [0]
            default: break
            }
        } else if rest > 0 {
            rest -= 1
            scenario.recognizers = [recognizer()]
        }
        scenario.steps = steps(of: script)
        return scenario
    }

    private static func steps(of script: [Move]) -> [Step] {
        var ids: [UInt32] = [0, 0]
        var places = [CGPoint.zero, .zero]
        var last: UInt32 = 0
        return script.map { move in
            func frame(_ finger: Int, _ phase: Step.Finger.Phase, by way: CGFloat = 0) -> Step {
                places[finger].x += way
                return .frame(
                    after: 13, [.init(id: ids[finger], phase: phase, x: places[finger].x, y: places[finger].y)])
            }
            switch move {
            case .down(let finger):
                last += 1
                ids[finger] = last
                places[finger] = finger == 0 ? CGPoint(x: 300, y: 300) : CGPoint(x: 330, y: 320)
                return frame(finger, .began)
            case .nudge(let finger): return frame(finger, .moved, by: 9)
            case .stroke(let finger): return frame(finger, .moved, by: 60)
            case .lift(let finger): return frame(finger, .ended)
            case .cancel(let finger): return frame(finger, .cancelled)
            case .pause: return .wait(501)
            }
        }
    }
}
