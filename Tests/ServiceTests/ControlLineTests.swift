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
            .command(.reload), .command(.named(.go, "start")), .command(.named(.show, "a")),
            .command(.named(.hide, "größe \"1\"")), .command(.named(.enable, "")), .command(.named(.disable, "b")),
            .command(.named(.toggle, "c")), .command(.ignore(seconds: 0.5)), .hit(x: 1.25, y: -3), .layout, .devices,
            .listPages, .listViews(), .listViews(part: 3),
            .recording(), .recording(source: 4_294_967_295, part: 12), .rehearse(device: "/dev/input/event7"),
        ])
    func roundTrip(request: ControlRequest) throws {
        let line = ControlLine(request.line)
        #expect(try line.request.get() == request)
        #expect(line.id == nil)
    }

    @Test(
        "an id that is a string or an integer below 2^53 is kept and returned",
        arguments: ["7", "0", "-1", "\"a\"", "\"größe\"", "\"\"", "9007199254740991", "-9007199254740991"])
    func id(text: String) throws {
        let line = ControlLine(Array("{\"request\": \"status\", \"id\": \(text)}".utf8))
        #expect(line.id == Array(text.utf8))
    }

    @Test(
        "any other id is an error, because it might not be returned unchanged",
        arguments: [
            "null", "true", "[1]", "{}", "1.5", "9007199254740992", "9007199254740993", "-9007199254740993", "1e300",
            "1e400",
        ])
    func wrongID(text: String) {
        let line = "{\"request\": \"status\", \"id\": \(text)}"
        #expect(error(line)?.code == .wrongArgument)
        #expect(error(line)?.message.hasPrefix("\"id\" must be a text, or a whole number") == true)
        #expect(ControlLine(Array(line.utf8)).id == nil)
    }

    @Test("a line with too many values is refused before they take memory")
    func values() {
        func line(_ count: Int) -> String {
            "{\"request\": \"status\", \"x\": [" + String(repeating: "0,", count: count) + "0]}"
        }
        #expect(error(line(ControlLine.values - 10)) == nil)
        #expect(error(line(ControlLine.values))?.code == .lineTooLong)
    }

    @Test("a text whose comparison would take minutes is refused by its length")
    func combiningMarks() {
        let marks = "a" + String(repeating: "\u{323}\u{301}", count: 250_000)
        for line in ["{\"request\": \"\(marks)\"}", "{\"request\": \"status\", \"\(marks)\": 1}"] {
            #expect(error(line)?.code == .notARequest)
        }
        #expect(error("{\"request\": \"show\", \"view\": \"\(marks)\"}")?.code == .wrongArgument)
        #expect(error("{\"request\": \"subscribe\", \"to\": [\"\(marks)\"]}")?.code == .wrongArgument)
    }

    @Test(
        "anything but a JSON object with a request is invalid",
        arguments: [
            "", "rubbish", "[]", "7", "{}", "{\"request\": 1}", "{\"request\": \"status\"} {}",
            "{\"request\": \"status\", \"request\": \"reload\"}", "\u{0}\u{FF}",
        ])
    func notARequest(line: String) {
        #expect(error(line)?.code == .notARequest)
        #expect(error(line)?.endsConnection == true)
    }

    @Test(
        "a wrong argument is named, with the valid ones",
        arguments: [
            ("go", "", "needs \"page\": a text of at most 1024 bytes"),
            ("go", ", \"page\": 3", "needs \"page\": a text of at most 1024 bytes"),
            ("ignore", ", \"seconds\": -1", "needs \"seconds\": a number from 0 to 86400"),
            ("ignore", ", \"seconds\": 1e400", "needs \"seconds\": a number from 0 to 86400"),
            ("ignore", ", \"seconds\": \"5\"", "needs \"seconds\": a number from 0 to 86400"),
            ("recording", ", \"part\": 0.5", "needs \"part\": a whole number"),
            ("recording", ", \"source\": -1", "needs \"source\": a number from 0 to 4294967295"),
            ("subscribe", ", \"to\": [], \"moves\": 1", "needs \"moves\": true or false"),
        ])
    func wrongArguments(name: String, arguments: String, message: String) {
        let error = error("{\"request\": \"\(name)\"\(arguments)}")
        #expect(error?.message == "request '\(name)' \(message)")
        #expect(error?.code == .wrongArgument && error?.endsConnection == false)
    }

    @Test(
        "a number that is too great for its argument, or for Double, is an error that leaves the connection open",
        arguments: ["1e308", "-1e308", "1e309", "-1e400", "1E+999999999", "1\(String(repeating: "0", count: 400)).5"])
    func greatNumbers(number: String) throws {
        let arguments = [
            ("ignore", #""seconds": #"#), ("hit", #""x": #, "y": 1"#), ("hit", #""x": 1, "y": #"#),
            ("recording", #""part": #"#), ("recording", #""source": #"#), ("move", #""frames": {"a": [#, 1, 1, 1]}"#),
            ("move", #""frames": {"a": [1, 1, 1, #]}"#),
        ]
        for (name, arguments) in arguments {
            let line = #"{"id": "\"1e400", "request": "\#(name)", \#(arguments.replacing("#", with: number))}"#
            #expect(error(line)?.code == .wrongArgument, "\(line)")
            #expect(ControlLine(Array(line.utf8)).id == Array(#""\"1e400""#.utf8), "\(line)")
            #expect(error(String(line.dropLast()))?.code == .notARequest, "\(line)")
        }
        // The reader of layouts reports the number.
        let views = #"[{"frame": [\#(number), 0, 1, 1]}]"#
        let request = ControlRequest.views(slot: "a", publisher: nil, views: try JSONTree(views.utf8))
        let line = #"{"request": "views", "slot": "a", "views": \#(views)}"#
        #expect(try ControlLine(Array(line.utf8)).request.get() == request)
    }

    @Test("the least numbers are 0 or not", arguments: ["0", "-0", "1e-320", "1e-400", "0.0e400"])
    func leastNumbers(number: String) throws {
        let line = ControlLine(Array(#"{"request": "ignore", "seconds": \#(number)}"#.utf8))
        #expect(try line.request.get() == .command(.ignore(seconds: Double(number) ?? 0)))
    }

    @Test("an unknown topic is named, with the valid ones")
    func wrongTopic() {
        #expect(
            error("{\"request\": \"subscribe\", \"to\": [\"touch\"]}")?.message
                == "cannot subscribe to 'touch'; the topics are touches, gestures, controls, devices, pages, idle, "
                + "published, inspection, accessibility")
    }

    @Test("the error for an unknown request names the nearest one, or lists all if none is near")
    func unknown() {
        #expect(
            error(#"{"request": "statsu"}"#)
                == ControlError(.unknownRequest, "unknown request 'statsu'; did you mean 'status'?"))
        let names = ControlRequest.names.joined(separator: ", ")
        #expect(
            error(#"{"request": "quit"}"#)
                == ControlError(.unknownRequest, "unknown request 'quit'; the requests are \(names)"))
    }

    @Test("members that a request does not have are ignored, as those of a newer client", arguments: ControlRequest.all)
    func unknownMembers(request: ControlRequest) throws {
        let line = String(decoding: request.line.dropLast(), as: UTF8.self) + #", "later": [{"than": "version 1"}]}"#
        #expect(try ControlLine(Array(line.utf8)).request.get() == request)
    }

    @Test("docs/control-protocol.md has all members of each request, in their order")
    func documentation() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "docs/control-protocol.md"), encoding: .utf8)
        let table = ControlRequest.all.flatMap { RequestRows.of($0) }.joined(separator: "\n")
        #expect(
            text.contains("| request | member | type | meaning |\n| --- | --- | --- | --- |\n\(table)\n\n"), "\(table)")
    }

    @Test("deeply nested JSON is rejected", arguments: [64, 500, 30_000])
    func nesting(depth: Int) {
        let (open, close) = (String(repeating: "[", count: depth), String(repeating: "]", count: depth))
        #expect(error("{\"request\": \"go\", \"page\": \(open)1e999\(close)}")?.code == .notARequest)
        #expect(error(open)?.code == .notARequest)
    }

    @Test("brackets in a string are not nesting, even after an escaped quote")
    func bracketsInText() throws {
        let page = String(repeating: "[{\"\\", count: 100)
        let line = ControlLine(ControlRequest.command(.named(.go, page)).line)
        #expect(try line.request.get() == .command(.named(.go, page)))
    }

    @Test("a line in UTF-16 is invalid")
    func encoding() throws {
        let line = try #require("{\"request\": \"status\"}".data(using: .utf16LittleEndian))
        guard case .failure(let error) = ControlLine(line).request else { Issue.record("it was taken"); return }
        #expect(error.code == .notARequest)
    }
}

/// A row of the documentation for each member of a request.
private nonisolated struct RequestRows: CaseVisitor {
    let request: String
    var rows: [String] = []

    static func of(_ request: ControlRequest) -> [String] {
        var (request, rows) = (request, RequestRows(request: request.name))
        request.visit(&rows)
        return rows.rows
    }

    mutating func member<Value>(
        _ name: StaticString, _ kind: CaseMember<Value>, _ meaning: StaticString, _ value: inout Value
    ) {
        let type = Value.form.documentation + (kind.isOptional ? ", optional" : "")
        rows.append("| `\(request)` | `\(name)` | \(type) | \(meaning) |")
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
        #expect(peer.groups.count == Int(getgroups(0, nil)))
    }
}
