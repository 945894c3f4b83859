import Evdev
import Foundation

nonisolated extension LayoutReader {
    /// `devices:`, rules about input devices; later rules override earlier ones.
    mutating func devices(_ node: Node, into document: inout LayoutDocument) {
        for item in nodes.sequence(node, "'devices'") ?? [] {
            if let rule = device(item, &document.deviceHandlers) { document.devices.append(rule) }
        }
    }

    private mutating func device(_ node: Node, _ deviceHandlers: inout [DeviceHandlers]) -> DeviceRule? {
        let keys = [
            "match", "ignore", "use", "grab", "forward", "rotate", "calibration", "pressure", "lift-after", "filter",
            "palms", "touch-with-pen", "acceleration", "speed", "screen", "region", "expected", "silent-after", "on",
        ]
        guard let values = nodes.mapping(node, "a device rule", keys: keys) else { return nil }
        guard let matchNode = values["match"] else {
            nodes.note(
                at: node,
                "the device rule has no 'match'; add match: {name: …}, with a name that 'touchd devices' shows")
            return nil
        }
        guard let match = match(matchNode) else { return nil }
        var rule = DeviceRule(label: "\(nodes.location(of: node))", match: match)
        let ignore = values["ignore"].flatMap { nodes.bool($0, "'ignore'") }
        let use = values["use"].flatMap { nodes.bool($0, "'use'") }
        if let ignore, let use, ignore == use {
            nodes.note(at: node, "'ignore' and 'use' contradict each other; keep one")
        }
        rule.use = use ?? ignore.map { !$0 }
        rule.grabs = values["grab"].flatMap { nodes.bool($0, "'grab'") }
        rule.forwards = values["forward"].flatMap { nodes.bool($0, "'forward'") }
        if let node = values["grab"], rule.grabs != nil, rule.forwards == true {
            nodes.note(
                .warning, at: node, "'grab' has no effect beside forward: true, which grabs the panel; remove it")
        }
        rule.rotation = values["rotate"].flatMap { rotation($0) }
        rule.calibration = values["calibration"].flatMap { calibration($0) }
        rule.pressureThreshold = values["pressure"].flatMap { nodes.number($0, "'pressure'", in: 0...1) }
        rule.target = values["screen"].flatMap { screenName($0) }
        let size = screenSize(named: rule.target)
        rule.region = values["region"].flatMap { region($0, of: size) }
        rule.filter = values["filter"].flatMap { filter($0, on: size) }
        rule.liftDelay = values["lift-after"]
            .flatMap { duration($0, "'lift-after'", in: .milliseconds(10) ... .milliseconds(5000)) }
            .map { Int64($0 / .microseconds(1)) }
        rule.palms = values["palms"].flatMap { palms($0) }
        rule.allowsTouchWithPen = values["touch-with-pen"].flatMap { nodes.bool($0, "'touch-with-pen'") }
        rule.acceleration = acceleration(values["acceleration"], speed: values["speed"])
        rule.absence = values["expected"].flatMap { absence($0) }
        rule.silence = values["silent-after"].flatMap { duration($0, "'silent-after'") }
        handlers(values["on"], of: rule, &deviceHandlers)
        return rule
    }

    /// `on:`, the steps for a device that is absent, silent or back.
    private mutating func handlers(_ node: Node?, of rule: DeviceRule, _ deviceHandlers: inout [DeviceHandlers]) {
        guard let node else { return }
        let on = bindings(node, for: .device)
        if !on.isEmpty { deviceHandlers.append(DeviceHandlers(rule: rule.label, on: on)) }
        let triggers = Set(on.map(\.trigger))
        if triggers.contains(.absent), rule.absence == nil {
            nodes.note(.warning, at: node, "'absent' never happens without expected: true in the rule")
        }
        if triggers.contains(.silent), rule.silence == nil {
            nodes.note(.warning, at: node, "'silent' never happens without silent-after: TIME in the rule")
        }
        if triggers.contains(.back), rule.absence == nil, rule.silence == nil {
            nodes.note(
                .warning, at: node, "'back' never happens without expected: true or silent-after: TIME in the rule")
        }
    }

    /// `region:`, in points of the device's screen.
    private mutating func region(_ node: Node, of size: CGSize) -> SurfaceRegion? {
        guard let numbers = nodes.numbers(node, "'region'", named: ["x", "y", "width", "height"]) else { return nil }
        let (x, y, width, height) = (numbers[0], numbers[1], numbers[2], numbers[3])
        guard x >= 0, y >= 0, width > 0, height > 0, x + width <= size.width, y + height <= size.height else {
            nodes.note(
                at: node,
                "'region' must have a size and be on the screen, which is \(Int(size.width)) × "
                    + "\(Int(size.height)) points")
            return nil
        }
        return SurfaceRegion(
            x: x / size.width, y: y / size.height, width: width / size.width, height: height / size.height)
    }

    private mutating func match(_ node: Node) -> DeviceRule.Match? {
        let keys = ["name", "path", "port", "usb", "udev"]
        guard let values = nodes.mapping(node, "'match'", keys: keys) else { return nil }
        guard !values.isEmpty else {
            nodes.note(at: node, "'match' is empty; to match every device write match: {name: \"*\"}")
            return nil
        }
        var match = DeviceRule.Match()
        match.name = values["name"].flatMap { pattern($0, "'name'") }
        match.path = values["path"].flatMap { pattern($0, "'path'") }
        match.physicalPath = values["port"].flatMap { pattern($0, "'port'") }
        if let usb = values["usb"], let (vendor, product) = usbIdentity(usb) {
            match.vendor = vendor
            match.product = product
        }
        if let udev = values["udev"], let entries = nodes.entries(udev, "'udev'") {
            if entries.isEmpty { nodes.note(at: udev, "'udev' is empty; add a property") }
            for (_, name, value) in entries { match.properties[name] = pattern(value, "udev's '\(name)'") }
        }
        return match
    }

    private mutating func pattern(_ node: Node, _ what: String) -> Pattern? {
        nodes.string(node, what).map { Pattern($0) }
    }

    /// `04f3:2234`, in the format of lsusb and `touchd devices --json`.
    private mutating func usbIdentity(_ node: Node) -> (UInt16, UInt16)? {
        guard let text = nodes.string(node, "'usb'") else { return nil }
        let numbers = text.split(separator: ":", omittingEmptySubsequences: false).map { UInt16($0, radix: 16) }
        guard numbers.count == 2, let vendor = numbers[0], let product = numbers[1] else {
            nodes.note(at: node, "'usb' must be VENDOR:PRODUCT in hexadecimal, as lsusb writes it (got '\(text)')")
            return nil
        }
        return (vendor, product)
    }

    /// `palms:`, how palms are handled.
    private mutating func palms(_ node: Node) -> PalmHandling? {
        guard let name = nodes.string(node, "'palms'") else { return nil }
        guard let known = PalmHandling(rawValue: name) else {
            nodes.note(at: node, "'palms' must be cancel, cancel-all or allow (got '\(name)')")
            return nil
        }
        return known
    }

    private mutating func rotation(_ node: Node) -> Rotation? {
        guard let degrees = nodes.number(node, "'rotate'") else { return nil }
        guard let rotation = Int(exactly: degrees).flatMap(Rotation.init(rawValue:)) else {
            nodes.note(at: node, "'rotate' must be 0, 90, 180 or 270, clockwise")
            return nil
        }
        return rotation
    }

    private mutating func calibration(_ node: Node) -> CalibrationMatrix? {
        guard let row = nodes.numbers(node, "'calibration'", named: ["a", "b", "c", "d", "e", "f"]) else { return nil }
        guard abs(row[0] * row[4] - row[1] * row[3]) > 1e-9 else {
            nodes.note(
                at: node, "'calibration' puts every touch on one straight line of the screen; run 'touchd calibrate'")
            return nil
        }
        return CalibrationMatrix(row[0], row[1], row[2], row[3], row[4], row[5])
    }

    /// `filter:`, suppresses the noise of faulty panels.
    private mutating func filter(_ node: Node, on screen: CGSize) -> ContactFilter? {
        let keys = ["debounce", "jitter", "edge", "contacts"]
        guard let values = nodes.mapping(node, "'filter'", keys: keys) else { return nil }
        var filter = ContactFilter(point: SurfacePoint(x: 1 / screen.width, y: 1 / screen.height))
        if let node = values["debounce"], let time = duration(node, "'debounce'", in: .zero ... .milliseconds(500)) {
            filter.debounce = Int64(time / .microseconds(1))
        }
        let most = screen.width / 4
        filter.jitter = amount(values["jitter"], "'jitter' (points)", upTo: most) ?? 0
        filter.edge = amount(values["edge"], "'edge' (points)", upTo: most) ?? 0
        if let count = amount(values["contacts"], "'contacts'", upTo: 100) {
            filter.greatestCount = Int(count.rounded(.down))
        }
        return filter
    }

    private mutating func amount(
        _ node: Node?, _ what: String, from least: Double = 0, upTo limit: Double
    ) -> Double? {
        node.flatMap { nodes.number($0, what, in: least...limit) }
    }

    private mutating func acceleration(_ profile: Node?, speed: Node?) -> PointerAcceleration? {
        var acceleration = PointerAcceleration()
        if let profile, let name = nodes.string(profile, "'acceleration'") {
            guard let known = PointerAcceleration.Profile(rawValue: name) else {
                nodes.note(at: profile, "'acceleration' must be flat or adaptive (got '\(name)')")
                return nil
            }
            acceleration.profile = known
        }
        if let speed = amount(speed, "'speed'", from: -1, upTo: 1) { acceleration.speed = speed }
        return profile == nil && speed == nil ? nil : acceleration
    }

    /// `expected:`, true or the time for which the device may be missing.
    private mutating func absence(_ node: Node) -> Duration? {
        // The default exceeds the few seconds that a new hub needs for its devices, and the time of a boot.
        switch nodes.string(node, "'expected'") {
        case nil, "false": nil
        case "true": .seconds(10)
        default: duration(node, "'expected'")
        }
    }

}
