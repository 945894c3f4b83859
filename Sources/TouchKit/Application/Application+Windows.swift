import Evdev

/// The application's windows and screens.
extension Application {
    /// The screens of the application's windows and devices, the main screen first.
    public var screens: [Screen] {
        let assigned = screensByDevice.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value)
        var screens = [Screen.main]
        for screen in windows.map(\.screen) + assigned where !screens.contains(where: { $0 === screen }) {
            screens.append(screen)
        }
        return screens
    }

    /// The screen that a device belongs to; the main screen by default.
    public func screen(for device: DeviceID) -> Screen { screensByDevice[device] ?? .main }

    /// Assigns a device to a screen; touches that are down keep the screen they began on.
    public func setScreen(_ screen: Screen, for device: DeviceID) { screensByDevice[device] = screen }

    func add(_ window: Window) {
        guard !windows.contains(window) else { return }
        windows.append(window)
        if window.isMarkedForLayout { needsLayout = true }
        sortWindows()
    }

    func remove(_ window: Window) {
        guard windows.contains(window) else { return }
        defer { drainIfAsked() }
        windows.removeAll { $0 === window }
        cancelEverything(inBranch: window)
        // A receiver of a cancellation may have shown the window again.
        if keyWindow === window, !windows.contains(window) { makeKey(windows.last) }
    }

    /// Moves a visible window in front of the other windows of its level.
    func bringToFront(_ window: Window) {
        guard let place = windows.firstIndex(of: window) else { return }
        windows.append(windows.remove(at: place))
        sortWindows()
    }

    func makeKey(_ window: Window?) {
        guard window !== keyWindow else { return }
        let former = keyWindow
        keyWindow = window
        former?.resignKey()
        window?.becomeKey()
    }

    func sortWindows() {
        // `sort` is stable, so windows of one level keep the order in which they were shown.
        windows.sort { $0.windowLevel < $1.windowLevel }
    }
}
