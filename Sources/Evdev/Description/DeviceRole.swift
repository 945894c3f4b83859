/// The kind of a device, by the rules of udev's `input_id`, and how it reports touches.
public struct DeviceRole: Sendable, Equatable {
    /// The kind of a device.
    public enum Kind: String, Sendable {
        case touchscreen, mouse
        /// A pointer with absolute axes, such as a virtual machine's tablet or a remote console. It may also report
        /// motion.
        case absolutePointer = "absolute pointer"
        /// Keys without letters: buttons, keypads, remote controls.
        case keys
        case keyboard, accelerometer, touchpad
        /// The jack of a sound card (`SW_HEADPHONE_INSERT`).
        case headphones = "headphone jack"
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

    /// The device's kind.
    public var kind: Kind
    /// How it reports contacts; nil if it reports none.
    ///
    /// Touchpads and tablets have one too, although touchd does not use them by default.
    public var touchProtocol: TouchProtocol?

    /// Creates a role.
    package init(kind: Kind, touchProtocol: TouchProtocol? = nil) {
        self.kind = kind
        self.touchProtocol = touchProtocol
    }

    /// The kind and touch protocol of the device, as commands print them.
    package var summary: String { touchProtocol.map { "\(kind.rawValue), \($0.rawValue)" } ?? kind.rawValue }

    /// The axes of the positions of its contacts or of its pointer; nil if it has no position.
    func positionAxes(_ settings: DeviceSettings) -> PositionAxes? {
        switch touchProtocol {
        case .slots, .anonymous: PositionAxes(x: AbsCode.positionX, y: AbsCode.positionY)
        case .single: settings.positionAxes
        case nil: kind == .absolutePointer ? PositionAxes(x: AbsCode.x, y: AbsCode.y) : nil
        }
    }

    /// Why touchd ignores such a device unless a rule selects it; nil if touchd uses it.
    package var reasonIgnored: String? {
        switch kind {
        case .touchscreen, .mouse, .absolutePointer, .keys, .accelerometer, .headphones: nil
        case .keyboard: "a keyboard; a device rule with 'use: true' would use it"
        case .touchpad: "a touchpad, whose positions are not those of the screen"
        case .tablet: "a graphics tablet, its pen or its pad"
        case .joystick: "a joystick or game pad"
        case .other: "it has no touches, pointer or keys"
        }
    }
}

extension DeviceRole {
    /// Determines a device's role from its capabilities.
    ///
    /// The rules are those of udev's `input_id` builtin (systemd 252), with two additions. A device that has
    /// multi-touch positions but neither `BTN_TOUCH` nor `INPUT_PROP_DIRECT`, which udev classifies as a mouse or not
    /// at all, is a touchscreen. A device with at least one letter key is a keyboard; udev requires all keys from
    /// Escape to S.
    /// - Parameters:
    ///   - description: The device's description of itself.
    ///   - udevProperties: udev's properties. If they contain `ID_INPUT=1`, udev's `ID_INPUT_…` take precedence, so
    ///     that hwdb entries and udev rules also apply to touchd.
    ///   - isWanted: Whether a rule selects the device: a touchpad or a tablet is then read as a touchscreen.
    public init(
        _ description: DeviceDescription, udevProperties: [String: String] = [:], isWanted: Bool = false
    ) {
        let facts = Facts(description)
        var kind = facts.kind(udevProperties)
        if kind == .absolutePointer, facts.multitouchProtocol != nil { kind = .touchscreen }
        if isWanted, kind == .touchpad || kind == .tablet { kind = .touchscreen }
        // A keyboard without some of udev's 31 keys can still type.
        if kind == .keys, facts.keys.contains(anyOf: KeyCode.letters) { kind = .keyboard }
        let touch: TouchProtocol? =
            switch kind {
            case .touchscreen, .touchpad, .tablet: facts.multitouchProtocol ?? (facts.hasPosition ? .single : nil)
            default: nil
            }
        self.init(kind: kind, touchProtocol: touch)
    }
}

extension DeviceRole {
    /// Whether udev knows of a touchscreen without a class: a udev rule has removed it, so that no program uses the panel.
    static func isWithoutClass(_ description: DeviceDescription, _ udevProperties: [String: String]) -> Bool {
        // Without udevd there are no such properties.
        guard udevProperties.keys.contains(where: { $0.hasPrefix("ID_") }) else { return false }
        let hasClass = udevProperties.contains { $0.key.hasPrefix("ID_INPUT_") && $0.value == "1" }
        if hasClass, udevProperties["ID_INPUT"] == "1" { return false }
        return Facts(description).isTouchscreenForUdev
    }
}

/// The facts that `input_id` evaluates.
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
        // A device that announces every axis (unmapped HID usages) does not really have slots.
        let claimsEverything = axes.contains(AbsCode.slot) && axes.contains(AbsCode.reserved)
        let hasPositions = axes.contains(AbsCode.positionX) && axes.contains(AbsCode.positionY)
        multitouchProtocol =
            hasPositions && !claimsEverything ? (axes.contains(AbsCode.slot) ? .slots : .anonymous) : nil
    }

    func kind(_ udev: [String: String]) -> DeviceRole.Kind {
        udev["ID_INPUT"] == "1" ? kindByUdev(udev) : kindByCapabilities
    }

    private func kindByUdev(_ udev: [String: String]) -> DeviceRole.Kind {
        func has(_ property: String) -> Bool { udev[property] == "1" }
        if has("ID_INPUT_ACCELEROMETER") { return .accelerometer }
        if has("ID_INPUT_TOUCHPAD") { return .touchpad }
        if has("ID_INPUT_TABLET_PAD") { return .tablet }
        // libwacom's hwdb marks the touch panel of a pen display as a tablet too, like the pen's node.
        if has("ID_INPUT_TOUCHSCREEN") { return .touchscreen }
        if has("ID_INPUT_TABLET") { return .tablet }
        if has("ID_INPUT_JOYSTICK") { return .joystick }
        // systemd's hwdb marks every node of a keyboard with a pointing stick, including that of the keys.
        let isStick = has("ID_INPUT_POINTINGSTICK") && hasRelativeMotion
        if has("ID_INPUT_MOUSE") || isStick { return hasPosition ? .absolutePointer : .mouse }
        if has("ID_INPUT_KEYBOARD") { return .keyboard }
        if has("ID_INPUT_KEY") { return .keys }
        return kindByCapabilities
    }

    /// Whether `input_id` gives it the class `ID_INPUT_TOUCHSCREEN`, and not only touchd.
    var isTouchscreenForUdev: Bool {
        kindByCapabilities == .touchscreen
            && (keys.contains(KeyCode.touch) || description.properties.contains(InputProperty.direct))
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
        // ABS_RX to ABS_RUDDER, ABS_HAT0X, ABS_HAT0Y and similar.
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
        if !keys.isEmpty { return .keys }
        return description[EventType.switches].contains(SwitchCode.headphones) ? .headphones : .other
    }
}
