// A custom recognizer.
import Evdev
import Foundation
import TouchKit

// snippet.state
/// Recognizes a finger that goes back and forth, as one rubs something out. Discrete.
final class RubGestureRecognizer: GestureRecognizer {
    /// How often the finger must turn round.
    var numberOfTurnsRequired = 4
    /// How long the whole may take, in seconds.
    var duration: TimeInterval = 1.5
    /// How far the finger must go before it turns, in points: less is a hand that trembles.
    var shortestWay: CGFloat = 30

    private var finger: Touch?
    private var farthest: CGFloat = 0
    private var isGoingRight: Bool?
    private var turns = 0
    private var limit: Application.ScheduledAction?
    // snippet.end

    // snippet.began
    override func touchesBegan(_ touches: Set<Touch>, with event: Event) {
        guard finger == nil, let touch = touches.first, touches.count == 1 else { return state = .failed }
        finger = touch
        farthest = touch.location(in: view).x
        limit = view?.window?.application?.schedule(at: event.timestamp + duration) { [weak self] in
            if self?.state == .possible { self?.state = .failed }
        }
    }
    // snippet.end

    // snippet.moved
    override func touchesMoved(_ touches: Set<Touch>, with event: Event) {
        guard let x = finger?.location(in: view).x else { return }
        let way = x - farthest
        if let isGoingRight, (way > 0) == isGoingRight { farthest = x }
        guard abs(way) >= shortestWay, (way > 0) != isGoingRight else { return }
        if isGoingRight != nil { turns += 1 }
        isGoingRight = way > 0
        farthest = x
        if turns == numberOfTurnsRequired { state = .ended }
    }
    // snippet.end

    // snippet.over
    override func touchesEnded(_ touches: Set<Touch>, with event: Event) { state = .failed }

    override func touchesCancelled(_ touches: Set<Touch>, with event: Event) { state = .failed }

    override func reset() {
        super.reset()
        limit?.cancel()
        limit = nil
        finger = nil
        isGoingRight = nil
        turns = 0
    }
    // snippet.end
}

// snippet.use
let board = View(frame: CGRect(x: 0, y: 0, width: 1920, height: 900))
board.addGestureRecognizer(RubGestureRecognizer { _ in print("rubbed out") })
// snippet.end

// Not shown: whether it works, with a finger that goes back and forth in a third of a second.
let application = Application()
let window = Window(frame: Screen.main.bounds, application: application)
window.addSubview(board)
window.makeKeyAndVisible()
for (step, x) in [0.1, 0.2, 0.1, 0.2, 0.1, 0.2].enumerated() {
    let contact = Contact(id: 1, phase: step == 0 ? .began : .moved, position: SurfacePoint(x: x, y: 0.5))
    let time = InputTimestamp(microseconds: Int64(step) * 60_000)
    application.enqueue(InputFrame(device: DeviceID(rawValue: 1), timestamp: time, contacts: [contact]))
    application.drainEvents()
}
