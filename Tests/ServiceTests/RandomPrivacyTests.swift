import Foundation
import Testing

/// Random sessions, each played twice: the second time the private fingers are elsewhere in the same key.
@Suite("Random private sessions") struct RandomPrivacyTests {
    /// 500 sessions from seed 1 by default; `make test-reference` sets others.
    private static let runs = number("TOUCHD_PRIVACY_RUNS") ?? 500
    private static let seed = number("TOUCHD_PRIVACY_SEED") ?? 1

    private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap(Int.init) }

    @Test("the same gestures with private fingers elsewhere in the same key give the same bytes in every output")
    func random() throws {
        var compared = 0
        for seed in Self.seed..<(Self.seed + Self.runs) {
            let session = PrivateSession(seed: UInt64(seed))
            guard let result = try session.difference() else { continue }
            compared += 1
            guard !result.isEmpty else { continue }
            let shortest = try session.shrunk()
            Issue.record(
                """
                seed \(seed): \(result)
                shrunk: \(try shortest.difference() ?? "")
                \(shortest.steps.map { "\($0)" }.joined(separator: "\n"))
                """)
            return
        }
        // The others have other gestures, such as a double tap whose taps are nearer to each other elsewhere.
        #expect(compared * 2 > Self.runs, "\(compared) of \(Self.runs) sessions had the same gestures")
    }

    @Test("every output of the random sessions writes something")
    func outputs() throws {
        var names: Set<String> = []
        for seed in 1...10 {
            let course = try PrivateSession(seed: UInt64(seed)).play(elsewhere: false)
            names.formUnion(course.outputs.filter { !$0.lines.isEmpty }.map(\.name))
        }
        #expect(
            names == [
                "JSON", "text", "journal", "subscriber", "publisher", "TUIO", "network", "log", "facts", "recording",
            ])
    }
}

extension PrivateSession {
    /// The first difference between the outputs of the two plays, or an empty text; nil if the plays differ in what
    /// really happened.
    fileprivate func difference() throws -> String? {
        let here = try play(elsewhere: false), there = try play(elsewhere: true)
        guard here.truth == there.truth else { return nil }
        for (one, other) in zip(here.outputs, there.outputs) where one.lines != other.lines {
            let number = zip(one.lines, other.lines).enumerated().first { $1.0 != $1.1 }?.offset
            guard let number else { return "\(one.name): \(one.lines.count) or \(other.lines.count) lines" }
            return "\(one.name), line \(number + 1):\n\(one.lines[number])\n\(other.lines[number])"
        }
        return here.outputs.count == there.outputs.count ? "" : "another output"
    }

    /// The session without steps that the difference does not need.
    fileprivate func shrunk() throws -> PrivateSession {
        var shortest = self
        for index in steps.indices.reversed() {
            var shorter = shortest
            shorter.steps.remove(at: index)
            if try shorter.difference()?.isEmpty == false { shortest = shorter }
        }
        return shortest
    }

    private static let requests =
        ["pad", "key-1", "key-2", "through", "off", "pin", "front"].flatMap { view in
            ["hide", "show", "enable", "disable"].map { #"{"request":"\#($0)","view":"\#(view)"}"# }
        } + [
            #"{"request":"go","page":"other"}"#, #"{"request":"go","page":"home"}"#, #"{"request":"go","page":"home"}"#,
            #"{"request":"ignore","seconds":0.05}"#, #"{"request":"toggle","view":"flip"}"#,
            #"{"request":"layout"}"#, #"{"request":"talk","on":true}"#, #"{"request":"talk","on":false}"#,
            #"{"request":"subscribe","to":["touches","gestures","inspection","accessibility"],"moves":true}"#,
        ]

    private static let publications: [String] = {
        let key =
            #"{"id":"dial","frame":[0,0,100,100],"control":"button","on":{"held":"told","pressed":"told","released":"told"}}"#
        let pad =
            #"{"id":"pin-pad","private":true,"frame":[0,0,100,100],"views":[{"id":"digit","frame":[0,0,100,100]}]}"#
        let open = #"{"id":"ticket","frame":[100,0,100,100],"on":{"began":"told","moved":"told"}}"#
        func views(_ slot: String, _ list: [String]) -> String {
            #"{"request":"views","slot":"\#(slot)","publisher":"p","views":[\#(list.joined(separator: ","))]}"#
        }
        return [
            views("keys", [key]), views("keys", []), views("shop", [pad, open]), views("shop", [open]),
            views("shop", []),
            #"{"request":"move","frames":{"ticket":[200,0,100,100]}}"#,
        ]
    }()

    fileprivate init(seed: UInt64) {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        var down: [Int: Place] = [:]
        steps = []
        if next(2) == 0 { steps.append(.publish(Self.publications[next(2) * 2])) }
        if next(4) == 0 { steps.append(.request(#"{"request":"talk","on":true}"#)) }
        for _ in 0..<(4 + next(10)) {
            let finger = next(3)
            switch next(20) {
            case 0: steps.append(.request(Self.requests[next(Self.requests.count)]))
            case 1: steps.append(.publish(Self.publications[next(Self.publications.count)]))
            case 2 where next(4) == 0: steps.append(.disconnect)
            case 2 where next(4) == 0:
                steps.append(.reload(next(2)))
                down = [:]
            case 3: steps.append(.wait([20, 100, 600, 1000][next(4)]))
            case 4, 5: steps.append(.settle)
            case 6...10 where down[finger] != nil:
                steps.append(.lift(finger: finger, after: 5 + next(30)))
                down[finger] = nil
            default:
                var place = Place.all[next(Place.all.count)]
                if let there = down[finger], next(4) > 0 { place = there }
                down[finger] = place
                let near = [0, 0, 3, 8, 25, 40]
                steps.append(
                    .touch(
                        finger: finger, place, dx: near[next(6)], dy: near[next(6)],
                        elsewhere: (next(40) - 20, next(40) - 20), after: 5 + next(30)))
            }
        }
    }
}
