import Evdev
import Foundation

/// Sees the contacts of panels and the keys of keyboards before they become touches and presses, and may keep them
/// (`Application.inputFilters`).
///
/// What is kept reaches no recognizer, view or observer, and is not forwarded to the program that draws. A filter is
/// asked when a contact comes down or a key is pressed; what it keeps then stays kept to its end. The filter receives
/// every change of a contact: the end exactly once, also if the device is removed. A contact that it lets through is never
/// kept later. It delivers other contacts with `Application.deliver(_:of:at:after:)`.
///
/// Everything is called on the main thread, in the order in which devices report, after the timers that are due. Filters
/// use the clock of the frames (`Application.schedule(at:_:)`), so a recording gives the same result at any speed.
package protocol InputFilter: AnyObject {
    /// Returns whether to keep a contact that came down.
    func keeps(_ contact: Contact, of device: DeviceID, at timestamp: TimeInterval) -> Bool

    /// Called with each change of a contact that the filter keeps.
    func change(_ contact: Contact, of device: DeviceID, at timestamp: TimeInterval)

    /// Returns whether to keep a key that is pressed; its repeats and its release then reach nobody either.
    func keeps(_ key: KeyChange, of device: DeviceID, at timestamp: TimeInterval) -> Bool

    /// Called when the filter is removed: it ends the contacts that it made itself.
    ///
    /// A contact that it delivered under the contact's own number needs no end: its next changes reach the touch.
    func remove(at timestamp: TimeInterval)
}

extension InputFilter {
    package func keeps(_ key: KeyChange, of device: DeviceID, at timestamp: TimeInterval) -> Bool { false }
}
