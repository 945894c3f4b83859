import Evdev
import Foundation
import TouchKit

extension Stage {
    /// The mouse, whose pointer begins in the middle of the screen.
    public var mouse: Mouse { Mouse(stage: self) }
    /// The keyboard.
    public var keyboard: Keyboard { Keyboard(stage: self) }

    /// Shakes the device: `motionBegan(_:with:)` and `motionEnded(_:with:)` with the subtype `motionShake`.
    public func shakes() {
        for x in [0, 2, -2, 2.0] { accelerates(x: x, after: 0.1) }
        advanceTime(by: 1)
    }

    /// The accelerometer measures x in units of standard gravity, seconds after the last frame.
    public func accelerates(x: Double, after seconds: TimeInterval) {
        time.microseconds += Self.microseconds(seconds - frameInterval)
        deliver(InputFrame(device: .keyboard, timestamp: tick(), acceleration: Acceleration(x: x, y: 0, z: 1)))
    }

    fileprivate func deliver(_ frame: borrowing InputFrame) {
        application.enqueue(frame)
        application.drainEvents()
    }
}

/// A mouse; each method sends a frame.
///
///     stage.mouse.moves(by: 30, 0)
///     stage.mouse.presses()
///     stage.mouse.releases()
public struct Mouse {
    /// A button, by its code of linux/input-event-codes.h.
    public nonisolated enum Button: UInt16, Sendable {
        /// A button.
        case left = 0x110
        /// A button.
        case right, middle
    }

    let stage: Stage

    /// The pointer moves by points of the screen.
    public func moves(by x: Double, _ y: Double) { send(.by(x: x, y: y)) }

    /// The pointer goes to a point of the screen, as that of a tablet does.
    public func moves(to x: CGFloat, _ y: CGFloat) {
        send(.to(stage.position(of: CGPoint(x: x, y: y), on: .mouse)))
    }

    /// A button is pressed.
    public func presses(_ button: Button = .left) {
        send(.by(x: 0, y: 0), keys: [KeyChange(code: button.rawValue, action: .pressed)])
    }

    /// A button is released.
    public func releases(_ button: Button = .left) {
        send(.by(x: 0, y: 0), keys: [KeyChange(code: button.rawValue, action: .released)])
    }

    /// The wheels turn by detents: to the right, and away from the user.
    public func scrolls(by x: Double, _ y: Double) {
        stage.deliver(InputFrame(device: .mouse, timestamp: stage.tick(), scroll: ScrollDelta(x: x, y: y)))
    }

    private func send(_ motion: PointerMotion, keys: [KeyChange] = []) {
        stage.deliver(InputFrame(device: .mouse, timestamp: stage.tick(), pointer: motion, keys: keys))
    }
}

/// A keyboard or remote control, whose keys have the codes of linux/input-event-codes.h; each method sends a frame.
///
///     stage.keyboard.presses(28)  // KEY_ENTER: pressesBegan(_:with:) with the type select
///     stage.keyboard.releases(28)
public struct Keyboard {
    let stage: Stage

    /// A key is pressed.
    public func presses(_ code: UInt16) { send(code, .pressed) }

    /// A key is held, and the kernel repeats it.
    public func repeats(_ code: UInt16) { send(code, .repeated) }

    /// A key is released.
    public func releases(_ code: UInt16) { send(code, .released) }

    private func send(_ code: UInt16, _ action: KeyChange.Action) {
        stage.deliver(
            InputFrame(
                device: .keyboard, timestamp: stage.tick(), keys: [KeyChange(code: code, action: action)]))
    }
}
