/// What a device is, by the rules of udev's `input_id`, and how it reports touches.
public struct DeviceRole: Sendable, Equatable {
    /// What a person would call the device.
    public enum Kind: String, Sendable {
        case touchscreen, mouse
        /// A pointer with absolute axes: a virtual machine's tablet, a remote console. It may report motion too.
        case absolutePointer = "absolute pointer"
        /// Buttons, keypads, remote controls: keys without letters.
        case keys
        case keyboard, accelerometer, touchpad
        /// A graphics tablet, its pen or its pad.
        case tablet
        case joystick
        case other
    }

    /// How contacts are reported; the kernel's `multi-touch-protocol.rst` describes the first two.
    public enum TouchProtocol: String, Sendable {
        /// Protocol B: a slot for each contact, with a tracking id.
        case slots = "multi-touch protocol B"
        /// Protocol A: all contacts in every frame, separated by `SYN_MT_REPORT`.
        case anonymous = "multi-touch protocol A"
        /// One contact: `ABS_X`, `ABS_Y`, `BTN_TOUCH`.
        case single = "single touch"
    }

    /// What it is.
    public var kind: Kind
    /// How it reports contacts; nil if it reports none.
    ///
    /// Touchpads and tablets have one too, though touchd leaves them alone.
    public var touchProtocol: TouchProtocol?

    /// Makes a role.
    public init(kind: Kind, touchProtocol: TouchProtocol? = nil) {
        self.kind = kind
        self.touchProtocol = touchProtocol
    }

    /// Why touchd leaves such a device alone unless a rule asks for it; nil if it takes it.
    public var reasonIgnored: String? {
        switch kind {
        case .touchscreen, .mouse, .absolutePointer, .keys, .accelerometer: nil
        case .keyboard: "a keyboard, and keyboards are read only where a rule asks for them"
        case .touchpad: "a touchpad: where a finger is on it is not where it is on the screen"
        case .tablet: "a graphics tablet, its pen or its pad"
        case .joystick: "a joystick or game pad"
        case .other: "neither touches, nor pointer, nor keys"
        }
    }
}

extension DeviceRole {
    /// Says what a device is from what it can send.
    ///
    /// The rules are those of udev's `input_id` builtin (systemd 252), with two additions: a device that has multi-touch
    /// positions but neither `BTN_TOUCH` nor `INPUT_PROP_DIRECT`, which udev calls a mouse or nothing, is a touchscreen;
    /// and keys of which one is a letter are a keyboard, for which udev asks for all keys from Escape to S.
    /// - Parameters:
    ///   - description: what the device says of itself.
    ///   - udevProperties: udev's properties; where they hold `ID_INPUT=1`, udev's `ID_INPUT_…` win, so that an
    ///     integrator's hwdb or udev rule counts here as it counts everywhere.
    ///   - isWanted: whether a rule asks for the device: a touchpad or a tablet is then read as a touchscreen.
    public init(
        _ description: DeviceDescription, udevProperties: [String: String] = [:], isWanted: Bool = false
    ) {
        let facts = Facts(description)
        var kind = facts.kind(udevProperties)
        if kind == .absolutePointer, facts.multitouchProtocol != nil { kind = .touchscreen }
        if isWanted, kind == .touchpad || kind == .tablet { kind = .touchscreen }
        // Somebody who wants to type at a kiosk can build a keyboard that lacks one of udev's 31 keys.
        if kind == .keys, facts.keys.contains(anyOf: KeyCode.letters) { kind = .keyboard }
        let touch: TouchProtocol? =
            switch kind {
            case .touchscreen, .touchpad, .tablet: facts.multitouchProtocol ?? (facts.hasPosition ? .single : nil)
            default: nil
            }
        self.init(kind: kind, touchProtocol: touch)
    }
}

/// The answers to `input_id`'s questions about a device.
private struct Facts {
    let description: DeviceDescription
    let keys: CodeSet
    let axes: CodeSet
    let hasPosition: Bool
    let multitouchProtocol: DeviceRole.TouchProtocol?

    init(_ description: DeviceDescription) {
        self.description = description
        keys = description[EventType.key]
        axes = description[EventType.absolute]
        hasPosition = axes.contains(AbsCode.x) && axes.contains(AbsCode.y)
        // A device that claims every axis there is (HID usages nobody mapped) has no slots worth the name.
        let claimsEverything = axes.contains(AbsCode.slot) && axes.contains(AbsCode.reserved)
        let hasPositions = axes.contains(AbsCode.positionX) && axes.contains(AbsCode.positionY)
        multitouchProtocol =
            hasPositions && !claimsEverything ? (axes.contains(AbsCode.slot) ? .slots : .anonymous) : nil
    }

    func kind(_ udev: [String: String]) -> DeviceRole.Kind {
        udev["ID_INPUT"] == "1" ? kindByUdev(udev) : kindByCapabilities
    }

    private func kindByUdev(_ udev: [String: String]) -> DeviceRole.Kind {
        func says(_ property: String) -> Bool { udev[property] == "1" }
        if says("ID_INPUT_ACCELEROMETER") { return .accelerometer }
        if says("ID_INPUT_TOUCHPAD") { return .touchpad }
        if says("ID_INPUT_TABLET_PAD") { return .tablet }
        // libwacom's hwdb calls the touch panel of a pen display a tablet as well, as it does the pen's own node.
        if says("ID_INPUT_TOUCHSCREEN") { return .touchscreen }
        if says("ID_INPUT_TABLET") { return .tablet }
        if says("ID_INPUT_JOYSTICK") { return .joystick }
        // systemd's hwdb calls every node of a keyboard with a pointing stick one, the keys' too.
        let isStick = says("ID_INPUT_POINTINGSTICK") && hasRelativeMotion
        if says("ID_INPUT_MOUSE") || isStick { return hasPosition ? .absolutePointer : .mouse }
        if says("ID_INPUT_KEYBOARD") { return .keyboard }
        if says("ID_INPUT_KEY") { return .keys }
        return kindByCapabilities
    }

    private var hasRelativeMotion: Bool {
        let relative = description[EventType.relative]
        return relative.contains(RelCode.x) && relative.contains(RelCode.y)
    }

    private var kindByCapabilities: DeviceRole.Kind {
        let direct = description.properties.contains(InputProperty.direct)
        let hasButtons = keys.contains(anyOf: UInt16(0x100)..<0x160)
        if description.properties.contains(InputProperty.accelerometer)
            || (!hasButtons && hasPosition && axes.contains(AbsCode.z))
        {
            return .accelerometer
        }
        let stylus = keys.contains(KeyCode.stylus) || keys.contains(KeyCode.toolPen)
        let fingerButNoPen = keys.contains(KeyCode.toolFinger) && !keys.contains(KeyCode.toolPen)
        let mouseButton = keys.contains(anyOf: KeyCode.mouse)
        let touch = keys.contains(KeyCode.touch)
        let joystickButton = keys.contains(anyOf: KeyCode.joystick) || keys.contains(anyOf: KeyCode.triggerHappy)
        // ABS_RX to ABS_RUDDER, ABS_HAT0X and ABS_HAT0Y, and such.
        let joystickAxis = axes.contains(anyOf: Array(UInt16(3)...10) + [16, 17])

        var kind: DeviceRole.Kind?
        if hasPosition {
            if stylus {
                kind = .tablet
            } else if fingerButNoPen && !direct {
                kind = .touchpad
            } else if mouseButton {
                kind = .absolutePointer
            } else if touch || direct {
                kind = .touchscreen
            } else if joystickButton || joystickAxis {
                kind = .joystick
            }
        } else if joystickButton {
            kind = .joystick
        }
        if multitouchProtocol != nil, kind != .joystick {
            if stylus {
                kind = .tablet
            } else if fingerButNoPen && !direct {
                kind = .touchpad
            } else if touch || direct {
                kind = .touchscreen
            }
        }
        if let kind { return kind }
        if mouseButton, hasRelativeMotion || !hasPosition { return .mouse }
        if multitouchProtocol != nil { return .touchscreen }
        if keys.contains(allOf: KeyCode.typewriter) { return .keyboard }
        return keys.isEmpty ? .other : .keys
    }
}
