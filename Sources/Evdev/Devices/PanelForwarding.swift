/// The closures that a monitor calls for each touchscreen whose rule has `forward`.
package struct PanelForwarding {
    /// Called when the touchscreen is open and before its first frame.
    package var didOpen: (PanelGrab) -> Void
    /// Called before it is closed, after its contacts were cancelled.
    package var willClose: (PanelGrab) -> Void

    /// Creates the pair.
    package init(didOpen: @escaping (PanelGrab) -> Void, willClose: @escaping (PanelGrab) -> Void) {
        self.didOpen = didOpen
        self.willClose = willClose
    }
}
