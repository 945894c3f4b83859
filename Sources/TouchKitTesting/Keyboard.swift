import Evdev
import Foundation

/// A keyboard or remote control, whose keys have the codes of linux/input-event-codes.h; each method sends a frame.
///
/// ```swift
/// stage.keyboard.presses(28)  // KEY_ENTER: pressesBegan(_:with:) with the type select
/// stage.keyboard.releases(28)
/// ```
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
