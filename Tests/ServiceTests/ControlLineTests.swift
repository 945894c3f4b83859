import Foundation
import Testing

@testable import Service

@Suite("A line of the control protocol") struct ControlLineTests {
    private func error(_ line: String) -> ControlError? {
        guard case .failure(let error) = ControlLine(Array(line.utf8)).request else { return nil }
        return error
    }

    @Test(
        "every request is read as it is written",
        arguments: [
            ControlRequest.subscribe(to: [.touches, .pages], moves: true), .subscribe(to: [], moves: false), .status,
            .reload, .go(page: "start"), .show(view: "a"), .hide(view: "größe \"1\""), .enable(view: ""),
            .disable(view: "b"), .ignore(seconds: 0.5), .hit(x: 1.25, y: -3),
        ])
    func roundTrip(request: ControlRequest) throws {
        let line = ControlLine(request.json.jsonLine)
        #expect(try line.request.get() == request)
        #expect(line.id == nil)
    }

    @Test("an id of any kind is kept, to be given back", arguments: ["7", "\"a\"", "null", "[1,{\"b\":true}]", "1.5"])
    func id(text: String) throws {
        let line = ControlLine(Array("{\"request\": \"status\", \"id\": \(text)}".utf8))
        let id = try #require(line.id)
        #expect(String(decoding: id.jsonLine, as: UTF8.self) == text)
    }

    @Test(
        "what is no JSON object with a request is none",
        arguments: ["", "rubbish", "[]", "7", "{}", "{\"request\": 1}", "{\"request\": \"status\"} {}", "\u{0}\u{FF}"])
    func notARequest(line: String) {
        #expect(error(line)?.code == .notARequest)
        #expect(error(line)?.endsConnection == true)
    }

    @Test(
        "a wrong argument is named, with what is right",
        arguments: [
            ("{\"request\": \"go\"}", "'go' needs \"page\", a text"),
            ("{\"request\": \"go\", \"page\": 3}", "'go' needs \"page\", a text"),
            ("{\"request\": \"ignore\", \"seconds\": -1}", "'ignore' needs \"seconds\", a number from 0 to 86400"),
            ("{\"request\": \"ignore\", \"seconds\": \"5\"}", "'ignore' needs \"seconds\", a number from 0 to 86400"),
            ("{\"request\": \"status\", \"verbose\": true}", "'status' has no \"verbose\""),
            (
                "{\"request\": \"subscribe\", \"to\": [\"touch\"]}",
                "nobody can subscribe to 'touch'; there are touches, gestures, devices, pages, published"
            ),
            ("{\"request\": \"subscribe\", \"to\": [], \"moves\": 1}", "'subscribe' needs \"moves\", true or false"),
        ])
    func wrongArguments(line: String, message: String) {
        #expect(error(line)?.message == message)
        #expect(error(line)?.code == .wrongArgument)
        #expect(error(line)?.endsConnection == false)
    }

    @Test("a request that does not exist is answered by those that do")
    func unknown() {
        #expect(error("{\"request\": \"stop\"}")?.code == .unknownRequest)
        #expect(error("{\"request\": \"stop\"}")?.message.contains("subscribe, status, reload") == true)
    }

    @Test("JSON nested beyond reason is refused like other rubbish")
    func nesting() {
        #expect(error(String(repeating: "[", count: 60_000))?.code == .notARequest)
    }
}

@Suite("Credentials of a peer") struct PeerCredentialsTests {
    @Test("root, the service's own user and members of the socket's group may command it, and nobody else")
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

    @Test("are the kernel's")
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
