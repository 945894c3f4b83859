import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

/// Tests with a stage and the calls on it, in order.
protocol LoggingSuite {
    var stage: Stage { get }
    var log: CallLog { get }
}

extension LoggingSuite {
    /// Adds a recognizer to the window, and logs its state whenever it acts.
    @discardableResult
    func attach<Recognizer: GestureRecognizer>(_ recognizer: Recognizer) -> Recognizer {
        recognizer.addHandler { [log] in log.add("\($0.state)") }
        stage.window.addGestureRecognizer(recognizer)
        return recognizer
    }

    /// Adds a view that logs its touches to the window, or to another view.
    @discardableResult
    func show(
        _ name: String, _ x: Double = 0, _ y: Double = 0, _ width: Double = 1024, _ height: Double = 1024,
        in superview: View? = nil
    ) -> RecordingView {
        let view = RecordingView(name, CGRect(x: x, y: y, width: width, height: height), log: log)
        (superview ?? stage.window).addSubview(view)
        return view
    }
}

/// A recognizer's class and settings; the others are the defaults.
nonisolated enum Gesture: Sendable, Equatable {
    case tap(taps: Int = 1, touches: Int = 1)
    case press(taps: Int = 0, touches: Int = 1)
    case pan(ClosedRange<Int> = 1...Int.max)
    case swipe(SwipeGestureRecognizer.Direction = .right, touches: Int = 1)
    case pinch, rotation
    case edgePan(RectEdge)
    case chord(touches: Int, duration: TimeInterval)

    // Those that tests of several recognizers use most.
    static let tap = tap(), doubleTap = tap(taps: 2), press = press(), pan = pan(), swipe = swipe()
    static let edgePan = edgePan(.left)

    @MainActor func makeRecognizer() -> GestureRecognizer {
        switch self {
        case .tap(let taps, let touches):
            let tap = TapGestureRecognizer()
            (tap.numberOfTapsRequired, tap.numberOfTouchesRequired) = (taps, touches)
            return tap
        case .press(let taps, let touches):
            let press = LongPressGestureRecognizer()
            (press.numberOfTapsRequired, press.numberOfTouchesRequired) = (taps, touches)
            return press
        case .pan(let touches):
            let pan = PanGestureRecognizer()
            (pan.minimumNumberOfTouches, pan.maximumNumberOfTouches) = (touches.lowerBound, touches.upperBound)
            return pan
        case .swipe(let direction, let touches):
            let swipe = SwipeGestureRecognizer()
            (swipe.direction, swipe.numberOfTouchesRequired) = (direction, touches)
            return swipe
        case .pinch: return PinchGestureRecognizer()
        case .rotation: return RotationGestureRecognizer()
        case .edgePan(let edges):
            let pan = ScreenEdgePanGestureRecognizer()
            pan.edges = edges
            return pan
        case .chord(let touches, let duration):
            return ChordGestureRecognizer(touches: touches, duration: duration)
        }
    }
}

/// What one of several fingers does, each act in a separate frame, or what happens to all of them.
nonisolated indirect enum Act: Sendable {
    case lands(Double, Double, finger: Int = 1)
    case moves(Double, Double, finger: Int = 1)
    case lifts(finger: Int = 1)
    case becomesPalm(finger: Int = 1)
    /// These are one frame.
    case together([Act])
    /// Seconds pass; the application does not notice while it is busy.
    case waits(TimeInterval)
    case isBusy(TimeInterval)
    case cancelsAll
}

extension Stage {
    func play(_ acts: [Act]) {
        var fingers: [Int: Finger] = [:]
        func finger(_ number: Int) -> Finger {
            guard let finger = fingers[number] else { preconditionFailure("finger \(number) has not landed") }
            return finger
        }
        func frame(_ acts: [Act]) {
            enqueue(
                acts.map { act in
                    switch act {
                    case .lands(let x, let y, let number):
                        if fingers[number] == nil { fingers[number] = self.finger() }
                        return finger(number).landing(at: x, y)
                    case .moves(let x, let y, let number): return finger(number).moving(to: x, y)
                    case .lifts(let number): return finger(number).lifting()
                    default: preconditionFailure("a frame has only fingers")
                    }
                })
            application.drainEvents()
        }
        for act in acts {
            switch act {
            case .together(let acts): frame(acts)
            case .becomesPalm(let number): finger(number).becomesPalm()
            case .waits(let seconds): advanceTime(by: seconds)
            case .isBusy(let seconds): time.microseconds += Int64((seconds * 1e6).rounded())
            case .cancelsAll: application.cancelAllTouches()
            default: frame([act])
            }
        }
    }

    /// Two fingers that come down together.
    func fingers(at first: (x: CGFloat, y: CGFloat), _ second: (x: CGFloat, y: CGFloat)) -> (Finger, Finger) {
        let fingers = (finger(), finger())
        send(fingers.0.landing(at: first.x, first.y), fingers.1.landing(at: second.x, second.y))
        return fingers
    }

    /// A second window, hidden, that covers the screen.
    func newWindow() -> Window { Window(frame: screen.bounds, application: application, screen: screen) }
}

/// A rule of B10: what fingers do, and the actions of a recognizer that they cause.
nonisolated struct GestureRule: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let gesture: Gesture
    let acts: [Act]
    let actions: [String]

    init(_ rule: String, _ gesture: Gesture, _ acts: [Act], _ actions: String...) {
        (testDescription, self.gesture, self.acts, self.actions) = (rule, gesture, acts, actions)
    }

    /// The state of each action, the number of touches and what was measured: `changed 2: 1.5`.
    @MainActor func played(on stage: Stage) -> [String] {
        let log = CallLog()
        let recognizer = gesture.makeRecognizer()
        recognizer.addHandler { recognizer in
            let values: [CGFloat]
            switch recognizer {
            case let pan as PanGestureRecognizer:
                values = [pan.translation(in: nil).x, pan.translation(in: nil).y]
            case let pinch as PinchGestureRecognizer: values = [pinch.scale]
            case let rotation as RotationGestureRecognizer: values = [rotation.rotation]
            default: values = [recognizer.location(in: nil).x, recognizer.location(in: nil).y]
            }
            let text = values.map { String(format: "%g", $0) }.joined(separator: " ")
            log.add("\(recognizer.state) \(recognizer.numberOfTouches): \(text)")
        }
        stage.window.addGestureRecognizer(recognizer)
        stage.play(acts)
        return log.lines
    }
}
