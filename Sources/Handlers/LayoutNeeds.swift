import Basics
import ControlProtocol
import Foundation
import Layout

nonisolated extension LayoutDocument {
    /// The brokers, credentials and addresses that the layout needs.
    package var networkSetup: NetworkSetup {
        var setup = NetworkSetup()
        if let mqtt {
            let topics = KioskTopics {
                ($0.start, $0.commands, $0.discovery) = (mqtt.topicStart, mqtt.commands, mqtt.discovery)
            }
            add(mqtt.host, mqtt.port, mqtt.location, to: &setup)
            setup.brokers[0].kiosk = topics
        }
        for (action, location) in actions {
            switch action {
            case .publish(let spec):
                guard case .mqtt(let host, let port, _, _) = spec.destination else { continue }
                add(host, port, location, to: &setup)
            // Only their credentials differ.
            case .http(let spec) where !setup.requests.contains { $0.credential == spec.credential }:
                setup.requests.append(
                    RequestSetup { ($0.credential, $0.location) = (spec.credential, "\(location)") })
            default: continue
            }
        }
        if let tuio { setup.datagrams = [DatagramAddress { ($0.host, $0.port) = (tuio.host, tuio.port) }] }
        return setup
    }

    private func add(_ host: String, _ port: Int, _ location: SourceLocation, to setup: inout NetworkSetup) {
        guard !setup.brokers.contains(where: { $0.host == host && $0.port == port }) else { return }
        setup.brokers.append(
            BrokerSetup {
                ($0.host, $0.port, $0.location) = (host, port, "\(location)")
                $0.clientID = clientID(at: location)
            })
    }

    /// The client identifier for brokers. It stays the same, so that a broker ends the former connection of a kiosk that
    /// lost its power; and differs between seats.
    ///
    /// It has at most 23 letters and digits, which every broker must allow (MQTT 3.1.1, 3.1.3.1).
    private func clientID(at location: SourceLocation) -> String {
        if let id = mqtt?.clientID { return id }
        // Copies of an installation often have one host name.
        let machine = (try? String(contentsOfFile: "/etc/machine-id", encoding: .utf8)) ?? ""
        let seed = "\(machine)\(ProcessInfo.processInfo.hostName)\n\(mqtt?.topicStart ?? "")\n\(location.file)"
        return "touchd" + SHA256.digest(of: Array(seed.utf8)).prefix(17)
    }
}

nonisolated extension MQTTSpec {
    /// The first levels of all topics. Without `topic:`, those of two seats differ by the names of their layouts.
    package var topicStart: String {
        if let topic { return topic }
        let name = URL(filePath: location.file).deletingPathExtension().lastPathComponent
        return "touchd/\(ProcessInfo.processInfo.hostName)" + (name == "touchd" ? "" : "/\(name)")
    }
}

extension HandlerFacts {
    func message(
        _ spec: PublishSpec, host: String, port: Int, qos: Int, retain: Bool
    ) throws(HandlerFailure) -> OutgoingMessage {
        let broker = BrokerSetup.name(host, port), topic = self.topic(spec.topic)
        guard !topic.isEmpty else { throw .messageNotSent(to: broker, reason: "the topic is empty") }
        var message = outgoing(spec.message)
        message.mqtt = MQTTMessage { ($0.broker, $0.topic, $0.qos, $0.retain) = (broker, topic, qos, retain) }
        if let problem = problem(of: message, "message") { throw .messageNotSent(to: broker, reason: problem) }
        return message
    }

    func request(_ spec: HTTPSpec) throws(HandlerFailure) -> OutgoingMessage {
        let url = self.url(spec.url)
        // `host` would read ICU's data for each URL (`packaging/icu-data`).
        guard let parts = URLComponents(string: url), let name = parts.encodedHost, let scheme = parts.scheme else {
            // Neither the user information before the host nor the path after it is reported: both may contain secrets.
            throw .requestNotSent(to: "a URL of handler '\(handler)'", reason: "it has no valid host")
        }
        let server = "\(scheme)://\(name):\(parts.port ?? (scheme == "https" ? 443 : 80))"
        // libcurl sends them as they are, and the server would resolve them.
        guard dotSegments(of: url) == dotSegments(of: spec.url.filled { _ in "x" }) else {
            throw .requestNotSent(to: server, reason: "facts would make a '.' or '..' of a part of its path")
        }
        // A body with a template from the layout is plain text; facts are JSON.
        var headers = ["Content-Type: \(spec.body == nil ? "application/json" : "text/plain; charset=utf-8")"]
        for (name, value) in spec.headers.sorted(by: { $0.key < $1.key }) {
            if name.lowercased() == "content-type" { headers.removeFirst() }
            headers.append("\(name): \(line(value))")
        }
        var message = outgoing(spec.body)
        message.http = HTTPMessage {
            ($0.server, $0.url, $0.headers, $0.credential) = (server, url, headers, spec.credential)
            ($0.retries, $0.timeout) = (spec.retries, spec.timeout)
        }
        if let problem = problem(of: message, "body") { throw .requestNotSent(to: server, reason: problem) }
        return message
    }

    /// A message of the handler with a text, or with the facts.
    private func outgoing(_ text: Template?) -> OutgoingMessage {
        OutgoingMessage { ($0.handler, $0.body) = (origin.prefix, Array((text.map(fill) ?? json).utf8)) }
    }

    /// Why a message's body cannot be sent.
    private func problem(of message: OutgoingMessage, _ what: String) -> String? {
        let (count, limit) = (message.body.count, NetworkOrder.bodyLimit)
        return count <= limit ? nil : "the \(what) must be at most \(limit) bytes long (got \(count))"
    }
}

/// The number of parts of a URL's path that lead to the same or the upper folder (RFC 3986, 5.2.4).
private nonisolated func dotSegments(of url: String) -> Int {
    url.prefix { !"?#".contains($0) }.split(separator: "/").count { $0 == "." || $0 == ".." }
}
