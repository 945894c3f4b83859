import Evdev
import Foundation
import TouchKit

/// The key that starts and ends the talking mode.
final class TalkKey: InputFilter {
    private let code: UInt16
    private let pressed: () -> Void

    init(_ code: UInt16, pressed: @escaping () -> Void) { (self.code, self.pressed) = (code, pressed) }

    func keeps(_ contact: Contact, of device: DeviceID, at timestamp: TimeInterval) -> Bool { false }

    func change(_ contact: Contact, of device: DeviceID, at timestamp: TimeInterval) {}

    func keeps(_ key: KeyChange, of device: DeviceID, at timestamp: TimeInterval) -> Bool {
        guard key.code == code else { return false }
        pressed()
        return true
    }

    func remove(at timestamp: TimeInterval) {}
}
