/// Tracks keys and buttons: each press is released or cancelled exactly once.
struct KeyTracker: Sendable {
    private let takesKeys: Bool
    private let takesButtons: Bool
    private let takesMouseButtons: Bool
    private var changes: [KeyChange] = []
    private var pressed: [UInt16] = []

    init(_ description: DeviceDescription, _ role: DeviceRole) {
        let canType = description[EventType.key].contains(anyOf: KeyCode.letters)
        takesButtons = role.kind != .joystick
        // A device with contacts is not also a mouse: BTN_LEFT would be a second touch at the pointer's location.
        takesMouseButtons = role.touchProtocol == nil
        // A pointer that shares its node with a keyboard, as radio receivers do, reports only its buttons.
        takesKeys = takesButtons && (role.kind == .keyboard || !canType)
    }

    var hasChanges: Bool { !changes.isEmpty }

    mutating func feed(_ event: InputEvent) {
        guard let value = UInt8(exactly: event.value), let action = KeyChange.Action(rawValue: value) else { return }
        guard KeyCode.buttons.contains(event.code) ? takesButtons : takesKeys else { return }
        if KeyCode.mouse.contains(event.code), !takesMouseButtons { return }
        let index = pressed.firstIndex(of: event.code)
        switch (action, index) {
        case (.pressed, nil): pressed.append(event.code)
        case (.released, let index?): pressed.remove(at: index)
        case (.repeated, .some): break
        // A release of a key that was pressed before opening, a second press, or a value that the kernel does not
        // define: not reported.
        default: return
        }
        changes.append(KeyChange(code: event.code, action: action))
    }

    /// Turns the releases since the last report into cancellations, because no key was released by the user.
    mutating func cancelReleases() {
        for index in changes.indices where changes[index].action == .released { changes[index].action = .cancelled }
    }

    /// Discards the presses since the last report, which `SYN_DROPPED` interrupted, so that they do not become late
    /// clicks.
    mutating func discardPresses() {
        var discarded: Set<UInt16> = []
        changes.removeAll { change in
            if change.action == .pressed { discarded.insert(change.code) }
            return discarded.contains(change.code)
        }
        pressed.removeAll { discarded.contains($0) }
    }

    mutating func cancelAll() {
        for code in pressed { changes.append(KeyChange(code: code, action: .cancelled)) }
        pressed.removeAll(keepingCapacity: true)
    }

    mutating func collect(into frame: inout InputFrame) {
        if changes.isEmpty { return }
        frame.keys.append(contentsOf: changes)
        changes.removeAll(keepingCapacity: true)
    }
}
