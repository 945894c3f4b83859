import Evdev
import Foundation

/// An entry of `devices:`.
nonisolated struct DeviceWords: Section {
    static let table = Table(
        "device", DeviceWords(), "A rule for input devices; if several rules match one device, the later rule wins.")
    var rule = DeviceRule(label: "", match: DeviceRule.Match())
    var on: [HandlerBinding] = []

    mutating func words(_ r: inout LayoutReader) {
        if let node = r.at.node { rule.label = "\(node.location)" }
        r.word("match", &rule.match, "The devices that the rule applies to; all given keys must match.") {
            $0.section(DeviceRule.Match())
        }
        r.require("add match: {name: …}, with a name that 'touchd devices' shows", of: "the device rule")
        let ignore = r.word("ignore", "Do not read the device.") { $0.flag() }
        r.word("use", &rule.use, "Read the device although touchd would ignore it.") { $0.flag() }
        if let ignore, ignore == rule.use { r.refuse("'ignore' and 'use' contradict each other; keep one") }
        rule.use = rule.use ?? ignore.map { !$0 }
        r.word("grab", &rule.grabs, "No other program gets its events while touchd runs.") { $0.flag() }
        r.word(
            "forward", &rule.forwards,
            "Grabs the touchscreen, and sends the touches meant for the program that draws to a virtual one."
        ) { $0.flag() }
        if let node = r.given("grab"), rule.grabs != nil, rule.forwards == true {
            r.note(.warning, at: node, "'grab' has no effect beside forward: true, which grabs the panel; remove it")
        }
        r.word(
            "rotate", &rule.rotation,
            "The clockwise angle of the touch surface on the screen, in degrees."
        ) { $0.rotation() }
        r.word(
            "calibration", &rule.calibration,
            "The first two rows of libinput's matrix, as 'touchd calibrate' prints them; replaces udev's."
        ) { $0.calibration() }
        r.word(
            "pressure", &rule.pressureThreshold,
            "A touch begins at this fraction of the full pressure, and ends below half of it."
        ) { $0.number(0...1) }
        r.word(
            "lift-after", &rule.liftDelay,
            """
            For a panel that does not report lifting: the time without a report after which a touch ends, also that of \
            a finger that rests.
            """
        ) { $0.time(.milliseconds(10) ... .milliseconds(5000)).map { Int64($0 / .microseconds(1)) } }
        r.word("screen", &rule.target, "The screen that it touches.", unset: "the first") { $0.name(of: .screen) }
        let size = r.screenSize(named: rule.target)
        r.word("region", &rule.region, "The part of that screen that it touches, in points.") { $0.region(of: size) }
        if let filter = r.word(FilterWords(screen: size))?.filter { rule.filter = filter }
        r.word(
            "palms", &rule.palms,
            """
            For a panel that reports palms: cancel the palm's touch; cancel every touch and ignore all until the palm \
            is lifted; or let a palm touch.
            """, unset: "cancel"
        ) { $0.keyword() }
        r.word(
            "touch-with-pen", &rule.allowsTouchWithPen,
            "Fingers touch while the same device's pen is in range; otherwise they are cancelled and ignored then.",
            unset: "false"
        ) { $0.flag() }
        let profile: PointerAcceleration.Profile? = r.word(
            "acceleration", "A pointer's acceleration profile, as in libinput."
        ) { $0.keyword() }
        let speed = r.word("speed", "The speed of a pointer, as in libinput.") { $0.number(-1...1) }
        if profile != nil || speed != nil {
            rule.acceleration = PointerAcceleration(profile: profile ?? .flat, speed: speed ?? 0)
        }
        r.word(
            "expected", &rule.absence, "Reports the device when it is absent for this time; true is 10 s."
        ) { $0.absence() }
        r.word("silent-after", &rule.silence, "Reports the device when it sends no event for this time.") { $0.time() }
        r.word("on", &on, "Handlers for when the device is absent, silent, and back.") { $0.on(.device) }
        guard let node = r.given("on") else { return }
        let (isExpected, isTimed) = (rule.absence != nil, rule.silence != nil)
        let conditions: [(HandlerBinding.Trigger, Bool, String)] = [
            (.absent, isExpected, "expected: true"), (.silent, isTimed, "silent-after: TIME"),
            (.back, isExpected || isTimed, "expected: true or silent-after: TIME"),
        ]
        for (trigger, isMet, key) in conditions where !isMet && on.contains(where: { $0.trigger == trigger }) {
            r.note(.warning, at: node, "'\(trigger.rawValue)' never happens without \(key) in the rule")
        }
    }
}

nonisolated extension DeviceRule.Match: Section {
    static let table = Table(
        "match", DeviceRule.Match(),
        "The devices that a rule applies to; all keys must match, and * and ? are wildcards.",
        rules: ["minProperties": 1])

    mutating func words(_ r: inout LayoutReader) {
        r.word("name", &name, "The device's name.") { $0.pattern() }
        r.word("path", &path, "The event node, such as /dev/input/event3.") { $0.pattern() }
        r.word("port", &physicalPath, "The port that it is plugged into.") { $0.pattern() }
        let usb = r.word("usb", "Vendor and product in hexadecimal, such as 04f3:2234.") { $0.usbIdentity() }
        if let usb { (vendor, product) = usb }
        r.word("udev", &properties, "Properties of udev by name, such as {ID_VENDOR: Acme}.") { $0.properties() }
        guard r.isReading, r.at.given.isEmpty else { return }
        r.refuse("'match' is empty; to match every device write match: {name: \"*\"}")
    }
}

/// `filter:`, suppresses the noise of faulty panels.
nonisolated struct FilterWords: Section {
    static let table = Table("filter", FilterWords(), "Filters for a bad panel.")
    /// The size of the device's screen; at most this one.
    var screen = CGSize(width: 100_000, height: 100_000)
    var filter = ContactFilter()

    mutating func words(_ r: inout LayoutReader) {
        filter.point = SurfacePoint(x: 1 / screen.width, y: 1 / screen.height)
        let most = screen.width / 4
        r.word("debounce", &filter.debounce, "Drops contacts shorter than this.") {
            $0.time(.zero ... .milliseconds(500)).map { Int64($0 / .microseconds(1)) }
        }
        r.word(
            "jitter", &filter.jitter, "Drops moves shorter than this, in points.", called: "'jitter' (points)"
        ) { $0.number(0...most) }
        r.word(
            "jump", &filter.jump,
            "Drops a move longer than this, in points, whose touch is back with the next report.",
            called: "'jump' (points)"
        ) { $0.number(0...most) }
        r.word(
            "edge", &filter.edge, "Drops contacts that begin closer to an edge than this, in points.",
            called: "'edge' (points)"
        ) { $0.number(0...most) }
        r.word("contacts", &filter.greatestCount, "Drops fingers beyond this number.") {
            $0.number(0...100).map { Int($0.rounded(.down)) }
        }
        r.word(
            "join", &filter.join,
            "For a panel that lifts in every report: continues a touch that returns to its place within this time."
        ) {
            $0.time(.zero ... .milliseconds(500)).map { Int64($0 / .microseconds(1)) }
        }
    }
}

// MARK: Types of values

nonisolated extension LayoutReader {
    fileprivate mutating func pattern() -> Pattern? { text().map { Pattern($0) } }

    /// `04f3:2234`, in the format of lsusb and `touchd devices --json`.
    fileprivate mutating func usbIdentity() -> (UInt16, UInt16)? {
        guard
            let (node, at) = reads(
                .other(
                    "VENDOR:PRODUCT",
                    ["type": "string", "pattern": "^\\+?[0-9A-Fa-f]{1,4}:\\+?[0-9A-Fa-f]{1,4}$"],
                    example: "VENDOR:PRODUCT")),
            let text = string(node, at.what)
        else { return nil }
        let numbers = text.split(separator: ":", omittingEmptySubsequences: false).map { UInt16($0, radix: 16) }
        guard numbers.count == 2, let vendor = numbers[0], let product = numbers[1] else {
            return invalid(node, "'usb' must be VENDOR:PRODUCT in hexadecimal, as lsusb writes it (got '\(text)')")
        }
        return (vendor, product)
    }

    /// udev's properties by name.
    fileprivate mutating func properties() -> [String: Pattern]? {
        guard
            let (node, at) = reads(
                .byName(
                    "properties",
                    ["type": "object", "minProperties": 1, "additionalProperties": .reference("text")])),
            let entries = entries(node, at.what)
        else { return nil }
        if entries.isEmpty { note(at: node, "'udev' is empty; add a property") }
        var properties: [String: Pattern] = [:]
        for (_, name, value) in entries {
            properties[name] = string(value, "udev's '\(name)'").map { Pattern($0) }
        }
        return properties
    }

    fileprivate mutating func rotation() -> Rotation? {
        guard let (node, at) = reads(.numbers([0, 90, 180, 270])), let degrees = number(node, at.what)
        else { return nil }
        let rotation = Int(exactly: degrees).flatMap(Rotation.init(rawValue:))
        if rotation == nil { note(at: node, "\(at.what) must be 0, 90, 180 or 270 (got \(node.beginning))") }
        return rotation
    }

    fileprivate mutating func calibration() -> CalibrationMatrix? {
        guard let (node, row) = numbers(named: ["a", "b", "c", "d", "e", "f"]) else { return nil }
        guard row.allSatisfy({ abs($0) <= CalibrationMatrix.greatest }) else {
            return invalid(node, "the numbers of 'calibration' must be between -1000000 and 1000000")
        }
        guard abs(row[0] * row[4] - row[1] * row[3]) > 1e-9 else {
            return invalid(
                node, "'calibration' puts every touch on one straight line of the screen; run 'touchd calibrate'")
        }
        return CalibrationMatrix(row[0], row[1], row[2], row[3], row[4], row[5])
    }

    /// A part of a screen, in points.
    fileprivate mutating func region(of size: CGSize) -> SurfaceRegion? {
        guard let (node, numbers) = numbers(named: ["x", "y", "width", "height"]) else { return nil }
        let (x, y, width, height) = (numbers[0], numbers[1], numbers[2], numbers[3])
        // The least numbers become 0 when they are divided.
        guard x >= 0, y >= 0, width / size.width > 0, height / size.height > 0, x + width <= size.width,
            y + height <= size.height
        else {
            return invalid(
                node,
                "'region' must have a size and be on the screen, which is \(Int(size.width)) × "
                    + "\(Int(size.height)) points")
        }
        return SurfaceRegion(
            x: x / size.width, y: y / size.height, width: width / size.width, height: height / size.height)
    }

    /// True or the time for which the device may be missing; nil in the optional for false.
    fileprivate mutating func absence() -> Duration?? {
        let time = Form.time(.milliseconds(1) ... .seconds(31_536_000))
        guard let (node, at) = reads(.either(.flag, time)) else { return nil }
        // The default exceeds the few seconds that a new hub needs for its devices, and the time of a boot.
        switch string(node, at.what)?.lowercased() {
        case nil: return nil
        case "false": return .some(nil)
        case "true": return .seconds(10)
        default: return duration(node, at.what)
        }
    }
}
