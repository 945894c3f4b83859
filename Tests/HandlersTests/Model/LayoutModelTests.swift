import ControlProtocol
import Foundation
import Testing
import TouchKit

@testable import Handlers
@testable import Layout

@Suite("A layout and its model") struct LayoutModelTests {
    /// 20,000 steps from seed 1 by default; `make test-reference` sets others.
    private static let steps = number("TOUCHD_LAYOUT_STEPS") ?? 20_000
    private static let seed = number("TOUCHD_LAYOUT_SEED") ?? 1
    private static let stepsPerScenario = 50

    private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap(Int.init) }

    @Test("random layouts, fingers, commands, reloads and publishers have the events and states of the model")
    func random() throws {
        var found = 0
        for number in 0..<max(1, Self.steps / Self.stepsPerScenario) {
            let seed = Self.seed + number
            guard let difference = try Self.difference(seed: UInt64(seed)) else { continue }
            Issue.record("seed \(seed): \(difference)")
            found += 1
            if found == 3 { return }
        }
    }

    /// Plays a scenario; returns its first difference, and the steps that led to it.
    private static func difference(seed: UInt64) throws -> String? {
        var generator = ModelGenerator(seed: seed)
        let layout = generator.layout(), model = LayoutModel(layout), stage = try ModelStage(layout)
        var down: [Int: (x: Int, y: Int)] = [:]
        var history: [String] = []
        for _ in 0..<stepsPerScenario {
            let boxes = model.layout.boxes + model.published
            var words: String
            let finger = generator.next(3), place = down[finger], box = boxes.isEmpty ? nil : generator.one(of: boxes)
            switch generator.next(20) {
            case 0..<9:
                guard let box, place == nil else { fallthrough }
                let (x, y) = (box.x + 20, box.y + 30)
                words = "finger \(finger) down at \(x), \(y) on \(box.key)"
                down[finger] = (x, y)
                model.down(finger, at: x, y)
                stage.fingers[finger].lands(at: Double(x), Double(y))
            case 9..<11:
                guard let place else { continue }
                let (x, y) = generator.next(2) == 0 ? (950, 950) : (place.x / 200 * 200 + 50, place.y / 100 * 100 + 40)
                words = "finger \(finger) to \(x), \(y)"
                down[finger] = (x, y)
                model.move(finger, to: x, y)
                stage.fingers[finger].moves(to: Double(x), Double(y))
            case 11..<14:
                guard let place else { continue }
                down[finger] = nil
                words = "finger \(finger) up"
                model.up(finger, at: place.x, place.y)
                stage.fingers[finger].lifts()
            case 14:
                guard place != nil else { continue }
                down[finger] = nil
                words = "finger \(finger) is a palm"
                model.palm(finger)
                stage.fingers[finger].becomesPalm()
            case 15:
                let milliseconds = 10 * generator.next(200)
                words = "\(milliseconds) ms"
                model.advance(by: milliseconds)
                stage.advanceTime(by: Double(milliseconds) / 1000)
            case 16, 17:
                let page = ModelLayout.Step.command(
                    generator.one(of: ["go", "go", "reset"]), generator.one(of: model.layout.pages).name)
                let command = generator.next(3) == 0 ? page : generator.command(on: boxes) ?? page
                guard case .command(let name, let operand) = command else { continue }
                words = "command \(name) \(operand)"
                model.command(name, operand)
                stage.perform(name, operand)
            case 18:
                let layout = generator.layout()
                words = "reload"
                model.reload(layout)
                try stage.reload(layout)
            default:
                if generator.next(5) == 0 {
                    words = "the publisher vanishes"
                    model.vanish()
                    stage.vanish()
                } else if model.isAwaited {
                    words = "published again"
                    model.isAwaited = false
                    try stage.publish(model.published)
                } else {
                    let boxes = generator.published()
                    words = "publish \(ModelLayout.json(boxes))"
                    model.publish(boxes)
                    try stage.publish(boxes)
                }
            }
            let events = model.events
            model.events = []
            history.append("\(words): \(events.joined(separator: ", "))")
            if let difference = stage.difference(from: model, events) {
                return "\(difference)\nafter\n\(model.layout.yaml)\n\(history.suffix(25).joined(separator: "\n"))"
            }
        }
        return nil
    }
}
