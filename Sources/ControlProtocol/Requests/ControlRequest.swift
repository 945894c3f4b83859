import Foundation
import Layout

/// A request of a control socket client.
public nonisolated enum ControlRequest: Sendable, Equatable {
    /// Subscribe to these topics; replaces earlier subscriptions.
    case subscribe(to: ControlTopic, moves: Bool)
    /// Report the state.
    case status
    /// Change the current layout; `ignore` with 0 seconds accepts touches again.
    case command(LayoutCommand)
    /// Report the view at a location, in points of the screen.
    case hit(x: Double, y: Double, screen: String? = nil)
    /// Report how the current layout differs from its file.
    case layout
    /// Report the devices and the units of their axes.
    case devices
    /// Return one part of a touchscreen's last minutes, counted from 0. The source may be omitted if there is only one.
    case recording(source: UInt32? = nil, part: Int = 0)

    /// The names of all requests.
    public static let names =
        ["subscribe", "status", "reload"] + LayoutCommand.Kind.allCases.filter { $0 != .reload }.map(\.rawValue)
        + ["hit", "layout", "devices", "recording"]

    /// The maximum time for which touches can be ignored, in seconds: a day, so that a typing error does not disable a
    /// kiosk permanently.
    public static let longestIgnoring = 86_400.0

    /// The request as an object of the protocol.
    package var json: JSONValue {
        switch self {
        case .subscribe(let topics, let moves):
            request("subscribe", ["to": .array(topics.names.map { .string($0) }), "moves": .bool(moves)])
        case .status: request("status")
        case .command(let command): request(command.kind.rawValue, Self.operand(of: command))
        case .hit(let x, let y, let screen):
            request(
                "hit",
                ["x": .number(x), "y": .number(y)].merging(screen.map { ["screen": .string($0)] } ?? [:]) { $1 })
        case .layout: request("layout")
        case .devices: request("devices")
        case .recording(let source, let part):
            request(
                "recording",
                ["part": .number(Double(part))].merging(source.map { ["source": .number(Double($0))] } ?? [:]) { $1 })
        }
    }

    private static func operand(of command: LayoutCommand) -> [String: JSONValue] {
        guard let key = command.kind.operand?.rawValue else { return [:] }
        if case .ignore(let seconds) = command { return [key: .number(seconds)] }
        return command.name.map { [key: .string($0)] } ?? [:]
    }

    private func request(_ name: String, _ arguments: [String: JSONValue] = [:]) -> JSONValue {
        .object(arguments.merging(["request": .string(name)]) { $1 })
    }
}

/// A line from a client: a request or its error, and the id by which the client matches the answer.
package nonisolated struct ControlLine {
    /// The maximum nesting depth of a line; requests need two levels.
    static let depth = 16

    /// The client's "id", which is copied to the answer; nil without one, or if it is invalid.
    package private(set) var id: JSONValue?
    package let request: Result<ControlRequest, ControlError>

    /// Parses a line without its newline.
    package init(_ line: some Collection<UInt8>) {
        guard case .object(var object)? = JSONValue(line, depth: Self.depth) else {
            request = .failure(
                ControlError(.notARequest, "a line must be one JSON object, such as {\"request\": \"status\"}"))
            return
        }
        do throws(ControlError) {
            id = try object.removeValue(forKey: "id").map(Self.id)
            request = .success(try Self.request(object))
        } catch {
            request = .failure(error)
        }
    }

    /// Numbers are parsed as `Double`, which cannot distinguish integers beyond 2^53 (RFC 8259, section 6).
    private static func id(_ value: JSONValue) throws(ControlError) -> JSONValue {
        switch value {
        case .string: return value
        case .number(let number) where number == number.rounded() && abs(number) < 0x1p53: return value
        default:
            throw ControlError(
                .wrongArgument, "\"id\" must be a text, or a whole number between -2^53 and 2^53, not \(value.kind)")
        }
    }

    private static func request(_ object: [String: JSONValue]) throws(ControlError) -> ControlRequest {
        guard case .string(let name)? = object["request"] else {
            throw ControlError(
                .notARequest, "\"request\" is missing; it must be one of \(list(ControlRequest.names))")
        }
        var arguments = Arguments(name: name, values: object.filter { $0.key != "request" })
        let request: ControlRequest
        switch name {
        case "subscribe": request = .subscribe(to: try arguments.topics(), moves: try arguments.moves())
        case "status": request = .status
        case "hit":
            request = .hit(
                x: try arguments.number("x", in: -1e6...1e6), y: try arguments.number("y", in: -1e6...1e6),
                screen: try arguments.stringIfAny("screen"))
        case "layout": request = .layout
        case "devices": request = .devices
        case "recording":
            request = .recording(
                source: try arguments.countIfAny("source", upTo: Int(UInt32.max)).map { UInt32($0) },
                part: try arguments.countIfAny("part", upTo: 1_000_000) ?? 0)
        default:
            if let kind = LayoutCommand.Kind(rawValue: name) {
                request = .command(try arguments.command(kind))
                break
            }
            throw ControlError(
                .unknownRequest, "unknown request '\(name.prefix(40))'; the requests are \(list(ControlRequest.names))")
        }
        try arguments.end()
        return request
    }

    fileprivate static func list(_ names: [String]) -> String { names.joined(separator: ", ") }
}

/// The arguments of a request; each is removed when read.
private nonisolated struct Arguments {
    let name: String
    var values: [String: JSONValue]

    mutating func string(_ key: String) throws(ControlError) -> String {
        guard case .string(let text)? = values.removeValue(forKey: key) else { throw wrong(key, "a text") }
        return text
    }

    mutating func stringIfAny(_ key: String) throws(ControlError) -> String? {
        values[key] == nil ? nil : try string(key)
    }

    mutating func number(_ key: String, in range: ClosedRange<Double>) throws(ControlError) -> Double {
        guard case .number(let number)? = values.removeValue(forKey: key), range.contains(number) else {
            throw wrong(
                key,
                "a number from \(JSONValue.number(range.lowerBound).plain) to "
                    + JSONValue.number(range.upperBound).plain)
        }
        return number
    }

    mutating func countIfAny(_ key: String, upTo limit: Int) throws(ControlError) -> Int? {
        guard values[key] != nil else { return nil }
        guard let count = Int(exactly: try number(key, in: 0...Double(limit))) else {
            throw wrong(key, "a whole number")
        }
        return count
    }

    mutating func command(_ kind: LayoutCommand.Kind) throws(ControlError) -> LayoutCommand {
        switch kind.operand {
        case .page, .view:
            // Every command with such an operand makes a command.
            guard let operand = kind.operand, let command = LayoutCommand(kind, name: try string(operand.rawValue))
            else { throw wrong(name, "a text") }
            return command
        case .seconds: return .ignore(seconds: try number("seconds", in: 0...ControlRequest.longestIgnoring))
        case nil: return .reload
        }
    }

    mutating func moves() throws(ControlError) -> Bool {
        switch values.removeValue(forKey: "moves") {
        case nil: return false
        case .bool(let value)?: return value
        default: throw wrong("moves", "true or false")
        }
    }

    mutating func topics() throws(ControlError) -> ControlTopic {
        let names = ControlTopic.byName.map(\.name)
        guard case .array(let values)? = values.removeValue(forKey: "to") else {
            throw wrong("to", "a list of \(ControlLine.list(names))")
        }
        var topics: ControlTopic = []
        for value in values {
            guard case .string(let name) = value, let known = ControlTopic.byName.first(where: { $0.name == name })
            else {
                throw ControlError(
                    .wrongArgument, "cannot subscribe to \(value.kind); the topics are \(ControlLine.list(names))")
            }
            topics.formUnion(known.topic)
        }
        return topics
    }

    /// Remaining keys are unknown.
    func end() throws(ControlError) {
        guard let key = values.keys.min() else { return }
        throw ControlError(.wrongArgument, "request '\(name)' has no argument \"\(key.prefix(40))\"")
    }

    private func wrong(_ key: String, _ what: String) -> ControlError {
        ControlError(.wrongArgument, "request '\(name)' needs \"\(key)\": \(what)")
    }
}

private nonisolated extension JSONValue {
    /// A number; an integer without a fraction.
    var plain: String { String(decoding: jsonLine, as: UTF8.self) }
}
