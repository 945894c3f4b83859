import ControlProtocol
import Foundation
import Handlers
import Layout

/// The state that touchd sends to the broker of `mqtt:`.
struct BrokerState {
    /// The visible pages, in the order of the screens.
    var pages: [String]
    /// The pages to which `go` can go, if the layout has one screen.
    var choices: [String]
    /// Whether an idle time has passed; nil if the layout has none.
    var isIdle: Bool?
    /// The time of the last touch; nil before the first.
    var lastTouch: Date?
    /// The devices, each with how touchd uses it.
    var devices: [(name: String, use: String)]

    /// The payload of each topic.
    ///
    /// - Parameter start: The first levels of all topics.
    func topics(_ spec: MQTTSpec, start: String) -> [String: String] {
        var topics = [
            "\(start)/page": pages.joined(separator: ", "), "\(start)/version": StatusReport.currentVersion,
            "\(start)/devices": devices.map { ["name": $0.name, "use": $0.use] }.jsonText(),
        ]
        if let isIdle { topics["\(start)/idle"] = "\(isIdle)" }
        if let lastTouch { topics["\(start)/last-touch"] = lastTouch.utcText }
        if let discovery = spec.discovery {
            topics.merge(discoveryTopics(spec, start: start, prefix: discovery)) { first, _ in first }
        }
        return topics
    }

    /// The configuration of Home Assistant's entities (home-assistant.io, MQTT discovery).
    private func discoveryTopics(_ spec: MQTTSpec, start: String, prefix: String) -> [String: String] {
        let node = String(start.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
        var topics: [String: String] = [:]
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
            topics["\(prefix)/\(component)/\(node)/\(object)/config"] = String(decoding: config, as: UTF8.self)
        }
        if spec.commands.contains(.go), choices.count > 1 {
            add("select", "page", "Page", [("state_topic", "\(start)/page"), ("command_topic", "\(start)/command/go")])
        } else {
            add("sensor", "page", "Page", [("state_topic", "\(start)/page")])
        }
        add(
            "sensor", "last_touch", "Last touch",
            [("state_topic", "\(start)/last-touch"), ("device_class", "timestamp")])
        add("sensor", "version", "Version", [("state_topic", "\(start)/version"), ("entity_category", "diagnostic")])
        if isIdle != nil {
            add(
                "binary_sensor", "idle", "Idle",
                [("state_topic", "\(start)/idle"), ("payload_on", "true"), ("payload_off", "false")])
        }
        if spec.commands.contains(.reload) {
            add("button", "reload", "Reload", [("command_topic", "\(start)/command/reload")])
        }
        if spec.commands.contains(.ignore) {
            add(
                "button", "ignore", "Ignore touches for a minute",
                [("command_topic", "\(start)/command/ignore"), ("payload_press", "60")])
        }
        return topics
    }
}
