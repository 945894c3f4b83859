import ControlProtocol
import Foundation
import YAML

/// `/etc/touchd/day.yaml`: where the days of a kiosk go, and in which time zone they begin.
struct DaySettings {
    static let installed = "/etc/touchd/day.yaml"

    /// A day's message without its body, and what it needs.
    private(set) var message = OutgoingMessage(), setup = NetworkSetup()
    /// The name of a time zone, as `TZ` has it.
    private(set) var timeZone = "UTC"

    /// The settings without a file: days of UTC, which go nowhere.
    init() {}

    /// - Throws: A `SettingsError` with the location of every error.
    init(path: String) throws(SettingsError) {
        try self.init(SettingsFile(path: path, keys: Self.keys, lists: []), path)
    }

    /// Reads the text of a settings file.
    init(text: String, file: String) throws(SettingsError) {
        try self.init(SettingsFile(text: text, file: file, keys: Self.keys, lists: []), file)
    }

    private static let keys = ["url", "credential", "host", "port", "topic", "time-zone"]

    private init(_ file: SettingsFile, _ path: String) throws(SettingsError) {
        var errors: [String] = []
        if let zone = file.text("time-zone") {
            timeZone = zone.value
            let isFile = FileManager.default.contents(atPath: "/usr/share/zoneinfo/\(timeZone)")?.starts(with: [
                0x54, 0x5a,
            ])
            if timeZone != "UTC", isFile != true || timeZone.contains("..") {
                errors.append(
                    zone.error(
                        "'time-zone' must be the name of one (got '\(timeZone)'); see: timedatectl list-timezones"))
            }
        }
        let credential = file.text("credential")
        switch (file.text("url"), file.text("host")) {
        case (let url?, nil):
            for key in ["port", "topic"] {
                if let text = file.text(key) { errors.append(text.error("'\(key)' needs 'host', not 'url'")) }
            }
            guard let parts = URLComponents(string: url.value), let scheme = parts.scheme, let host = parts.encodedHost,
                ["http", "https"].contains(scheme), !host.isEmpty
            else {
                errors.append(
                    url.error("'url' must be a URL such as https://collector.example/days (got '\(url.value)')"))
                break
            }
            message.http = HTTPMessage {
                $0.server = "\(scheme)://\(host):\(parts.port ?? (scheme == "https" ? 443 : 80))"
                ($0.url, $0.credential, $0.timeout) = (url.value, credential?.value, 30)
                $0.headers = ["Content-Type: application/x-ndjson", "Content-Encoding: gzip"]
            }
            setup.requests = [RequestSetup { ($0.credential, $0.location) = (credential?.value, path) }]
        case (nil, let host?):
            if let credential { errors.append(credential.error("'credential' needs 'url', not 'host'")) }
            let port = file.text("port").map { Int($0.value) ?? 0 } ?? 8883
            if let text = file.text("port"), !(1...65535).contains(port) {
                errors.append(text.error("'port' must be a whole number from 1 to 65535 (got '\(text.value)')"))
            }
            let topic = file.text("topic")?.value ?? ""
            if topic.isEmpty || topic.contains(where: { "+#".contains($0) }) {
                errors.append((file.text("topic") ?? host).error("'host' needs a 'topic' without + and #"))
            }
            let broker = BrokerSetup { ($0.host, $0.port, $0.location) = (host.value, port, path) }
            message.mqtt = MQTTMessage { ($0.broker, $0.topic, $0.qos) = (broker.name, topic, 1) }
            setup.brokers = [broker]
        case (.some, let host?): errors.append(host.error("'url' and 'host' are two collectors; keep one"))
        case (nil, nil):
            errors.append("\(path):1:1: error: no collector; add 'url' of a server, or 'host' and 'topic' of a broker")
        }
        if !errors.isEmpty { throw SettingsError(errors) }
    }
}
