@testable import ControlProtocol
import Foundation
import Testing

@testable import Service

@Suite("A line of the control protocol") struct ControlLineTests {
    private func error(_ line: String) -> ControlError? {
        guard case .failure(let error) = ControlLine(Array(line.utf8)).request else { return nil }
        return error
    }

    @Test(
        "every request is parsed as it is written",
        arguments: [
            ControlRequest.subscribe(to: [.touches, .pages], moves: true), .subscribe(to: [], moves: false), .status,
            .command(.reload), .command(.go(page: "start")), .command(.show(view: "a")),
            .command(.hide(view: "größe \"1\"")), .command(.enable(view: "")), .command(.disable(view: "b")),
            .command(.toggle(view: "c")), .command(.ignore(seconds: 0.5)), .hit(x: 1.25, y: -3), .layout, .devices,
            .recording(), .recording(source: 4_294_967_295, part: 12), .rehearse(device: "/dev/input/event7"),
        ])
    func roundTrip(request: ControlRequest) throws {
        let line = ControlLine(request.json.jsonLine)
        #expect(try line.request.get() == request)
        #expect(line.id == nil)
    }

    @Test(
        "an id that is a string or an integer below 2^53 is kept and returned",
        arguments: ["7", "0", "-1", "\"a\"", "\"größe\"", "\"\"", "9007199254740991", "-9007199254740991"])
    func id(text: String) throws {
        let line = ControlLine(Array("{\"request\": \"status\", \"id\": \(text)}".utf8))
        let id = try #require(line.id)
        #expect(String(decoding: id.jsonLine, as: UTF8.self) == text)
    }

    @Test(
        "any other id is an error, because it might not be returned unchanged",
        arguments: [
            "null", "true", "[1]", "{}", "1.5", "9007199254740992", "9007199254740993", "-9007199254740993", "1e300",
        ])
    func wrongID(text: String) {
        let line = "{\"request\": \"status\", \"id\": \(text)}"
        #expect(error(line)?.code == .wrongArgument)
        #expect(error(line)?.message.hasPrefix("\"id\" must be a text, or a whole number") == true)
        #expect(ControlLine(Array(line.utf8)).id == nil)
    }

    @Test(
        "anything but a JSON object with a request is invalid",
        arguments: ["", "rubbish", "[]", "7", "{}", "{\"request\": 1}", "{\"request\": \"status\"} {}", "\u{0}\u{FF}"])
    func notARequest(line: String) {
        #expect(error(line)?.code == .notARequest)
        #expect(error(line)?.endsConnection == true)
    }

    @Test(
        "a wrong argument is named, with the valid ones",
        arguments: [
            ("{\"request\": \"go\"}", "request 'go' needs \"page\": a text"),
            ("{\"request\": \"go\", \"page\": 3}", "request 'go' needs \"page\": a text"),
            (
                "{\"request\": \"ignore\", \"seconds\": -1}",
                "request 'ignore' needs \"seconds\": a number from 0 to 86400"
            ),
            (
                "{\"request\": \"ignore\", \"seconds\": \"5\"}",
                "request 'ignore' needs \"seconds\": a number from 0 to 86400"
            ),
            ("{\"request\": \"recording\", \"part\": 0.5}", "request 'recording' needs \"part\": a whole number"),
            (
                "{\"request\": \"recording\", \"source\": -1}",
                "request 'recording' needs \"source\": a number from 0 to 4294967295"
            ),
            ("{\"request\": \"status\", \"verbose\": true}", "request 'status' has no argument \"verbose\""),
            (
                "{\"request\": \"subscribe\", \"to\": [\"touch\"]}",
                "cannot subscribe to 'touch'; the topics are touches, gestures, controls, devices, pages, idle, "
                    + "published, inspection"
            ),
            (
                "{\"request\": \"subscribe\", \"to\": [], \"moves\": 1}",
                "request 'subscribe' needs \"moves\": true or false"
            ),
        ])
    func wrongArguments(line: String, message: String) {
        #expect(error(line)?.message == message)
        #expect(error(line)?.code == .wrongArgument)
        #expect(error(line)?.endsConnection == false)
    }

    @Test("the error for an unknown request lists the existing ones")
    func unknown() {
        #expect(error("{\"request\": \"stop\"}")?.code == .unknownRequest)
        #expect(error("{\"request\": \"stop\"}")?.message.contains("subscribe, status, reload") == true)
    }

    @Test("deeply nested JSON is rejected", arguments: ["", "1e999", "{\"a\": null}"])
    func nesting(inside: String) {
        func nested(_ depth: Int) -> String {
            "{\"request\": \"go\", \"page\": " + String(repeating: "[", count: depth) + inside
                + String(repeating: "]", count: depth) + "}"
        }
        #expect(error(nested(64))?.code == .notARequest)
        #expect(error(nested(500))?.code == .notARequest)
        #expect(error(nested(30_000))?.code == .notARequest)
        #expect(error(String(repeating: "[", count: 60_000))?.code == .notARequest)
    }

    @Test("brackets in a string are not nesting, even after an escaped quote")
    func bracketsInText() throws {
        let page = String(repeating: "[{\"\\", count: 500)
        let line = ControlLine(ControlRequest.command(.go(page: page)).json.jsonLine)
        #expect(try line.request.get() == .command(.go(page: page)))
    }

    @Test("a line in UTF-16 is invalid")
    func encoding() throws {
        let line = try #require("{\"request\": \"status\"}".data(using: .utf16LittleEndian))
        guard case .failure(let error) = ControlLine(line).request else { Issue.record("it was taken"); return }
        #expect(error.code == .notARequest)
    }

    @Test("JSON types are strict: a boolean is not a number, and 1 is not true")
    func values() {
        let text = "[true,false,null,0,1,-2.5,1e3,9007199254740991,\"true\",[],{\"a\":{}}]"
        #expect(
            JSONValue(Array(text.utf8))
                == .array([
                    .bool(true), .bool(false), .null, .number(0), .number(1), .number(-2.5), .number(1000),
                    .number(9_007_199_254_740_991), .string("true"), .array([]), .object(["a": .object([:])]),
                ]))
        #expect(JSONValue(Array("[[]]".utf8), depth: 1) == nil)
        #expect(JSONValue.encoding(["a": [true, false]]) == .object(["a": .array([.bool(true), .bool(false)])]))
        #expect(JSONValue.encoding(1.25) == .number(1.25))
    }
}

@Suite("Credentials of a peer") struct PeerCredentialsTests {
    @Test("only root, the service's user and the socket's group may send commands")
    func mayCommand() {
        func may(_ user: uid_t, _ group: gid_t, _ groups: [gid_t] = []) -> Bool {
            PeerCredentials(process: 1, user: user, group: group, groups: groups).mayCommand(user: 990, group: 995)
        }
        #expect(may(0, 0))
        #expect(may(990, 7))
        #expect(may(1000, 995))
        #expect(may(1000, 7, [6, 995]))
        #expect(!may(1000, 7, [6, 8]))
        #expect(!may(1000, 990))
    }

    @Test("are read from the kernel")
    func ofSocket() throws {
        var ends: [Int32] = [0, 0]
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
        defer { for end in ends { close(end) } }
        let peer = try PeerCredentials(of: ends[0])
        #expect(peer.process == getpid())
        #expect(peer.user == getuid())
        #expect(peer.group == getgid())
        var groups = [gid_t](repeating: 0, count: 256)
        groups = Array(groups.prefix(Int(getgroups(256, &groups))))
        #expect(peer.groups.count == groups.count)
    }
}
