import ControlProtocol

nonisolated extension KioskState {
    /// The payload of each topic that the broker retains.
    func payloads(_ topics: KioskTopics) -> [String: String] {
        let start = topics.start
        var payloads = [
            "\(start)/page": pages.joined(separator: ", "), "\(start)/version": StatusReport.currentVersion,
            "\(start)/devices": devices.map { ["name": $0.name, "use": $0.use] }.jsonText(),
            "\(start)/network": network.jsonText(),
        ]
        if let isIdle { payloads["\(start)/idle"] = "\(isIdle)" }
        if let lastTouch { payloads["\(start)/last-touch"] = lastTouch }
        if let prefix = topics.discovery {
            payloads.merge(discovery(topics, prefix: prefix)) { first, _ in first }
        }
        return payloads
    }

    /// The configuration of Home Assistant's entities (home-assistant.io, MQTT discovery).
    private func discovery(_ topics: KioskTopics, prefix: String) -> [String: String] {
        let (start, node) = (topics.start, topics.nodeID)
        var payloads: [String: String] = [:]
        func add(_ component: String, _ object: String, _ name: String, _ values: [(String, String)]) {
            let members =
                [
                    ("name", name), ("unique_id", "\(node)_\(object)"), ("availability_topic", "\(start)/availability"),
                ] + values
            let config = JSONWriter.object { config in
                for (name, value) in members {
                    config.name(name)
                    config.write(value)
                }
                config.member("options", component == "select" ? choices : nil)
                config.name("device")
                config.beginObject()
                config.member("identifiers", [node])
                config.member("name", start)
                config.member("manufacturer", "touchd")
                config.member("sw_version", StatusReport.currentVersion)
                config.end()
            }
            payloads["\(prefix)/\(component)/\(node)/\(object)/config"] = String(decoding: config, as: UTF8.self)
        }
        if topics.commands.contains(.go), choices.count > 1 {
            add("select", "page", "Page", [("state_topic", "\(start)/page"), ("command_topic", "\(start)/command/go")])
        } else {
            add("sensor", "page", "Page", [("state_topic", "\(start)/page")])
        }
        add(
            "sensor", "last_touch", "Last touch",
            [("state_topic", "\(start)/last-touch"), ("device_class", "timestamp")])
        add("sensor", "version", "Version", [("state_topic", "\(start)/version"), ("entity_category", "diagnostic")])
        add(
            "sensor", "dropped", "Dropped messages",
            [
                ("state_topic", "\(start)/network"), ("entity_category", "diagnostic"),
                ("value_template", "{{ value_json | sum(attribute='dropped') }}"),
            ])
        if isIdle != nil {
            add(
                "binary_sensor", "idle", "Idle",
                [("state_topic", "\(start)/idle"), ("payload_on", "true"), ("payload_off", "false")])
        }
        if topics.commands.contains(.reload) {
            add("button", "reload", "Reload", [("command_topic", "\(start)/command/reload")])
        }
        if topics.commands.contains(.ignore) {
            add(
                "button", "ignore", "Ignore touches for a minute",
                [("command_topic", "\(start)/command/ignore"), ("payload_press", "60")])
        }
        return payloads
    }
}

nonisolated extension KioskTopics {
    /// The name of the kiosk in Home Assistant's topics and ids, which allow only letters, digits, `-` and `_`.
    ///
    /// No two kiosks share it: where another character than the `/` between levels is replaced, a hash of the whole
    /// follows.
    var nodeID: String {
        var node = "", isExact = true
        for scalar in start.unicodeScalars {
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "-": node.unicodeScalars.append(scalar)
            case "/": node += "_"
            default:
                node += "_"
                isExact = false
            }
        }
        return isExact ? node : "\(node)_\(hash)"
    }

    /// FNV-1a of 32 bits, as 8 hexadecimal digits.
    private var hash: String {
        let digits = String(start.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}

nonisolated extension LayoutCommand {
    /// Why a message gives no command.
    struct Refusal: Error { let reason: String }

    /// The command that a message gives: its payload is the page, the view or the time.
    init(_ kind: Kind, _ message: BrokerMessage) throws(Refusal) {
        guard !message.isRetained else {
            throw Refusal(reason: "the message was retained, so it may be old; publish commands without 'retain'")
        }
        guard let payload = message.payload else {
            throw Refusal(reason: "the payload must be at most \(BrokerMessage.payloadLimit) bytes long")
        }
        guard let text = String(validating: payload, as: UTF8.self),
            !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw Refusal(reason: "the payload must be UTF-8 without control characters") }
        switch kind.operand {
        case .page, .view:
            guard let command = LayoutCommand(kind, name: text) else { preconditionFailure("it takes a name") }
            self = command
        case .seconds:
            guard let time = Duration(timeText: text), time / .seconds(1) <= ControlRequest.longestIgnoring else {
                throw Refusal(
                    reason:
                        "the payload must be a time of at most 1 d, such as 30, 10 min or 0 (got '\(text.prefix(40))')")
            }
            self = .ignore(seconds: time / .seconds(1))
        case nil: self = .reload
        }
    }
}
