import CLibevdev
import CLinux

/// The kernel's event types, as `input-event-codes.h` numbers them.
package enum EventType {
    package static let synchronization = UInt16(EV_SYN)
    package static let key = UInt16(EV_KEY)
    package static let relative = UInt16(EV_REL)
    package static let absolute = UInt16(EV_ABS)
    package static let miscellaneous = UInt16(EV_MSC)
    package static let switches = UInt16(EV_SW)
}

/// The kernel's `SYN_…` codes that readers need.
package enum SynCode {
    package static let report = UInt16(SYN_REPORT)
    package static let multitouchReport = UInt16(SYN_MT_REPORT)
    package static let dropped = UInt16(SYN_DROPPED)
}

/// The kernel's `ABS_…` codes that touchd uses.
package enum AbsCode {
    package static let x = UInt16(ABS_X)
    package static let y = UInt16(ABS_Y)
    package static let z = UInt16(ABS_Z)
    package static let pressure = UInt16(ABS_PRESSURE)
    /// `ABS_RESERVED` (0x2e): no driver uses it, so a device that announces it announces every axis.
    package static let reserved: UInt16 = 0x2e
    package static let slot = UInt16(ABS_MT_SLOT)
    package static let touchMajor = UInt16(ABS_MT_TOUCH_MAJOR)
    package static let touchMinor = UInt16(ABS_MT_TOUCH_MINOR)
    package static let orientation = UInt16(ABS_MT_ORIENTATION)
    package static let positionX = UInt16(ABS_MT_POSITION_X)
    package static let positionY = UInt16(ABS_MT_POSITION_Y)
    package static let toolType = UInt16(ABS_MT_TOOL_TYPE)
    package static let trackingID = UInt16(ABS_MT_TRACKING_ID)
    package static let multitouchPressure = UInt16(ABS_MT_PRESSURE)
    package static let distance = UInt16(ABS_MT_DISTANCE)
    package static let multitouchLast = UInt16(ABS_MT_TOOL_Y)

    /// The kernel's name of an axis, `ABS_X`.
    static func name(of code: UInt16) -> String {
        libevdev_event_code_get_name(UInt32(EV_ABS), UInt32(code)).map { String(cString: $0) } ?? "axis \(code)"
    }
}

/// The kernel's `REL_…` codes that touchd uses.
package enum RelCode {
    package static let x = UInt16(REL_X)
    package static let y = UInt16(REL_Y)
    package static let wheel = UInt16(REL_WHEEL)
    package static let horizontalWheel = UInt16(REL_HWHEEL)
    package static let wheelHighResolution = UInt16(REL_WHEEL_HI_RES)
    package static let horizontalWheelHighResolution = UInt16(REL_HWHEEL_HI_RES)
}

/// The kernel's `SW_…` codes that touchd uses.
package enum SwitchCode {
    package static let headphones = UInt16(SW_HEADPHONE_INSERT)
}

/// The kernel's `KEY_…` and `BTN_…` codes, and their ranges that identify kinds of devices.
package enum KeyCode {
    package static let escape = UInt16(KEY_ESC)
    /// A headphone jack, which is pressed while something is plugged in. The kernel has it as a switch, so it has a code
    /// after those of all keys.
    package static let headphones = UInt16(KEY_MAX) + 1 + SwitchCode.headphones
    /// The letters of an English keyboard; a device with any of them can type.
    package static let letters: [UInt16] = [KEY_Q...KEY_P, KEY_A...KEY_L, KEY_Z...KEY_M].flatMap {
        $0.map { UInt16($0) }
    }
    /// The 31 keys from Escape to S; udev's `input_id` classifies a device with all of them as a keyboard.
    package static let typewriter = UInt16(KEY_ESC)..<UInt16(32)
    package static let left = UInt16(BTN_LEFT)
    /// The keys of keypads and remote controls that walk from one element to the next or the previous, and activate it.
    package static let nextElement = [KEY_RIGHT, KEY_DOWN, KEY_TAB].map { UInt16($0) }
    package static let previousElement = [KEY_LEFT, KEY_UP].map { UInt16($0) }
    package static let activation = [KEY_ENTER, KEY_KPENTER, KEY_SPACE, KEY_OK, KEY_SELECT].map { UInt16($0) }
    package static let mouse = UInt16(BTN_MOUSE)..<UInt16(BTN_JOYSTICK)
    package static let joystick = UInt16(BTN_JOYSTICK)..<UInt16(BTN_DIGI)
    /// `BTN_TRIGGER_HAPPY1` to `BTN_TRIGGER_HAPPY40`.
    package static let triggerHappy = UInt16(BTN_TRIGGER_HAPPY1)...UInt16(BTN_TRIGGER_HAPPY40)
    package static let toolPen = UInt16(BTN_TOOL_PEN)
    /// `BTN_TOOL_PEN` to `BTN_TOOL_AIRBRUSH`: a pen or a part of one is in range.
    package static let pens = UInt16(BTN_TOOL_PEN)...UInt16(BTN_TOOL_AIRBRUSH)
    package static let toolFinger = UInt16(BTN_TOOL_FINGER)
    package static let touch = UInt16(BTN_TOUCH)
    package static let stylus = UInt16(BTN_STYLUS)
    /// `BTN_DIGI` to `BTN_TOOL_QUADTAP`: the tool in range and the number of fingers; these are not buttons.
    package static let tools = UInt16(BTN_DIGI)...UInt16(BTN_TOOL_QUADTAP)
    /// All buttons as opposed to keys: `BTN_MISC` up to, but not including, `KEY_OK`.
    package static let buttons = UInt16(BTN_MISC)..<UInt16(KEY_OK)
}

/// The kernel's `INPUT_PROP_…` numbers that touchd uses.
package enum InputProperty {
    package static let pointer = UInt16(INPUT_PROP_POINTER)
    package static let direct = UInt16(INPUT_PROP_DIRECT)
    package static let accelerometer = UInt16(INPUT_PROP_ACCELEROMETER)
}

/// The kernel's `MT_TOOL_…` values.
package enum ToolType {
    package static let pen = Int32(MT_TOOL_PEN)
    package static let palm = Int32(MT_TOOL_PALM)
    static let dial = Int32(MT_TOOL_DIAL)
}
