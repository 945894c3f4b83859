/// How touchd uses a device.
package enum DeviceUse: String, CaseIterable, JSONValue, Sendable {
    /// Its touches are delivered.
    case used
    case ignored
    /// It should be used but cannot be read.
    case failed
}
