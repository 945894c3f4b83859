import Evdev
import Foundation
import TouchKit

/// A mouse; each method sends a frame.
///
/// ```swift
/// stage.mouse.moves(by: 30, 0)
/// stage.mouse.presses()
/// stage.mouse.releases()
/// ```
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
