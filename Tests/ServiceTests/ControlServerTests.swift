@testable import ControlProtocol
import EventLoop
import Foundation
import Outputs
import Testing

@testable import Service
@testable import TestSupport

/// The control socket with real sockets, and with well-behaved and other clients.
@Suite("The control socket") final class ControlServerTests {
    private let stage: ControlStage
    /// An event that is written already.
    private struct Line: JSONWritable {
        let text: String

        init(_ text: String) { self.text = text }

        func write(to writer: inout JSONWriter) { writer.write(json: text.utf8) }
    }

    private static let subscription = "{\"request\":\"subscribe\",\"to\":[\"touches\"]}"

    init() throws { stage = try ControlStage() }

    @Test("a response has the request's id; after an error the connection continues")
    func answers() throws {
        let client = try stage.connect()
        client.write("{\"request\":\"status\",\"id\":1}\n{\"request\":\"go\",\"page\":\"x\",\"id\":\"two\"}\n{\"requ")
        stage.settle()
        #expect(
            client.lines() == [
                "{\"id\": 1, \"result\": {\"done\": true}}",
                "{\"id\": \"two\", \"error\": {\"code\": \"no-such-page\", \"message\": \"no page x\"}}",
            ])
        client.write("est\":\"reload\"}\n")
        stage.settle()
        #expect(client.lines() == ["{\"result\": {\"done\": true}}"])
        #expect(stage.performed == [.status, .command(.named(.go, "x")), .command(.reload)])
    }

    @Test("an answer that is deferred and given at once is sent once, and the next request is handled once in its turn")
    func answeredAtOnce() throws {
        stage.deferred = { _, client in client.answerLater()(.success(["reloaded": true].jsonLine)) }
        let client = try stage.connect(), other = try stage.connect()
        client.write("{\"request\":\"reload\",\"id\":1}\n{\"request\":\"status\"}\n{\"request\":\"devices\"}\n")
        other.write("{\"request\":\"layout\"}\n{\"request\":\"slot\",\"slot\":\"a\"}\n")
        stage.settle()
        #expect(
            client.lines() == [
                "{\"id\": 1, \"result\": {\"reloaded\": true}}", "{\"result\": {\"done\": true}}",
                "{\"result\": {\"done\": true}}",
            ])
        #expect(stage.performed == [.command(.reload), .status, .layout, .devices, .slot("a")])
    }

    @Test("a line that is too long is refused after the answers to the requests before it", arguments: [true, false])
    func tooLongAfterDeferred(hasEnd: Bool) throws {
        let stage = try ControlStage(limits: .init(line: 4096))
        var answers: [(Result<[UInt8], ControlError>) -> Void] = []
        stage.deferred = { _, client in answers.append(client.answerLater()) }
        let client = try stage.connect()
        client.write("{\"request\":\"reload\",\"id\":1}\n{\"request\":\"status\",\"id\":2}\n")
        stage.settle()
        client.write(String(repeating: "x", count: 5000) + (hasEnd ? "\n" : ""))
        stage.settle()
        #expect(client.lines() == [] && !client.isClosed())
        answers.first?(.success(["done": true].jsonLine))
        stage.settle()
        #expect(client.isClosed())
        let lines = client.lines()
        #expect(lines.count == 3 && lines[0].hasPrefix("{\"id\": 1,") && lines[1].hasPrefix("{\"id\": 2,"))
        #expect(lines.last?.contains("\"code\": \"line-too-long\"") == true)
    }

    @Test(
        "a passed descriptor ends the connection; its last close, which waits for an hour, delays nothing",
        arguments: [0, Int32(MSG_OOB)], [true, false])
    func passedDescriptor(flags: Int32, isRead: Bool) throws {
        // A client that is refused is not read, and its bytes are discarded with the connection.
        let stage = try ControlStage(limits: .init(clients: isRead ? 1 : 0))
        let (near, far) = lingeringConnection()
        defer { close(far) }
        // Kernels before 6.16 cannot refuse descriptors.
        var on: Int32 = 1
        setsockopt(try #require(stage.listener), SOL_SOCKET, 83, &on, socklen_t(MemoryLayout<Int32>.size))
        let client = RawClient(path: stage.path)
        client.write("{\"request\":\"status\"}")
        #expect(client.write("\n", passing: near, flags: flags) == 1)
        close(near)
        client.write(line: "{\"request\":\"status\"}")
        stage.settle()
        #expect(client.isClosed() && stage.server?.clientCount == 0)
        #expect(stage.performed == [])
        // Another thread waits. The peer of the TCP connection ends it now, and with it the close.
        #expect(DetachedClose.count > 0)
    }

    @Test("where the kernel can, it refuses descriptors at once")
    func refusedDescriptor() throws {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        let client = try stage.connect()
        guard getsockopt(client.descriptor, SOL_SOCKET, 83, &value, &length) == 0 else { return }
        #expect(client.write("x", passing: STDERR_FILENO) == -1 && errno == EPERM)
    }

    @Test("events go to subscribers only, moves only on request")
    func events() throws {
        let touches = try stage.connect(), moves = try stage.connect(), pages = try stage.connect()
        touches.write(line: Self.subscription)
        moves.write(line: "{\"request\":\"subscribe\",\"to\":[\"touches\"],\"moves\":true}")
        pages.write(line: "{\"request\":\"subscribe\",\"to\":[\"pages\"]}")
        stage.settle()
        let server = try #require(stage.server)
        func notify(_ phase: TouchRecord.Phase) {
            let header = EventHeader(.touch, isStep: phase == .moved, touch: 1, time: 1)
            guard stage.subscribers.wants(header) else { return }
            let touch = TouchRecord(time: 1, device: "Panel", touch: 1, phase: phase)
            stage.subscribers.note(OutputEvent(.touch(touch), header))
        }
        notify(.began)
        notify(.moved)
        stage.subscribers.send(.pages) { Line("page") }
        stage.subscribers.send(.devices) { () -> Line in
            Issue.record("written for nobody")
            return Line("device")
        }
        stage.settle()
        #expect(touches.lines().dropFirst().map { ProtocolLine($0).brief } == ["touch began null"])
        #expect(moves.lines().dropFirst().map { ProtocolLine($0).brief } == ["touch began null", "touch moved null"])
        #expect(pages.lines().dropFirst() == ["page"])
        #expect(server.subscriberCount == 3)
    }

    @Test("a client that never reads loses events and delays nobody")
    func silentClient() throws {
        let silent = try stage.connect(), other = try stage.connect()
        for client in [silent, other] { client.write(line: Self.subscription) }
        stage.settle()
        _ = silent.lines() + other.lines()
        let server = try #require(stage.server)
        let events = (0..<10_000).map {
            "{\"event\":\"touch\",\"number\":\($0),\"padding\":\"\(String(repeating: "-", count: 80))\"}"
        }
        var seen: [String] = []
        for (index, event) in events.enumerated() {
            stage.subscribers.send(.touches) { Line(event) }
            if index % 100 == 99 {
                stage.settle()
                seen += other.lines()
            }
        }
        #expect(seen == events)
        #expect(server.droppedCount > 0)

        var late: [String] = []
        while !late.contains(where: { $0.contains("dropped") }) {
            late += silent.lines()
            stage.settle()
        }
        late += silent.lines()
        let kept = events.count - server.droppedCount
        #expect(late == Array(events.prefix(kept)) + ["{\"event\": \"dropped\", \"count\": \(server.droppedCount)}"])
    }

    @Test("a client that does not read responses is not read until it does")
    func unreadAnswers() throws {
        let client = try stage.connect()
        var asked = 0
        // Until touchd's buffer is full, and then the kernel's.
        while client.write("{\"request\":\"status\",\"id\":\"\(String(repeating: "x", count: 1000))\"}\n") > 0 {
            asked += 1
            if asked % 8 == 0 { stage.settle() }
            if asked > 10_000 { break }
        }
        #expect(asked < 10_000)
        let done = stage.performed.count
        stage.settle()
        #expect(stage.performed.count == done)

        var answers = 0
        while answers < asked - 1 {
            answers += client.lines().count
            stage.settle()
        }
    }

    @Test("invalid input gets one error, and the connection closes", arguments: ["rubbish", "{}", "\u{0}\u{1}\u{2}"])
    func rubbish(text: String) throws {
        let client = try stage.connect()
        client.write("\(text)\n\(text)\n\(text)\n")
        stage.settle()
        let closed = client.isClosed()
        let lines = client.lines()
        #expect(lines.count == 1)
        #expect(lines.first?.contains("\"code\": \"not-a-request\"") == true)
        #expect(closed)
        #expect(stage.server?.clientCount == 0)
        #expect(stage.server?.refusedCount == 1)
    }

    @Test("a client that needs another version of the protocol gets one error, and the connection closes")
    func versions() throws {
        let client = try stage.connect()
        client.write(line: "{\"request\":\"hello\",\"protocol\":1}")
        stage.settle()
        #expect(client.lines() == ["{\"result\": {\"done\": true}}"])
        client.write("{\"request\":\"hello\",\"protocol\":2}\n{\"request\":\"status\"}\n")
        stage.settle()
        let closed = client.isClosed()
        let lines = client.lines()
        #expect(lines.count == 1)
        #expect(lines.first?.contains("\"code\": \"wrong-protocol\"") == true)
        #expect(closed)
        #expect(stage.performed == [.hello(protocol: 1)])
    }

    @Test("a line without an end is read up to the limit, then the connection closes")
    func endlessLine() throws {
        let stage = try ControlStage(limits: .init(line: 64 * 1024))
        let client = try stage.connect()
        var written = 0
        while case let count = client.write(String(repeating: "x", count: 10_000)), count > 0 {
            written += count
            stage.settle()
        }
        #expect(written < 400_000)
        #expect(client.lines().first?.contains("\"code\": \"line-too-long\"") == true)
        #expect(stage.server?.clientCount == 0)
    }

    @Test("clients above the limit get an error; after one leaves another may connect")
    func tooMany() throws {
        let stage = try ControlStage(limits: .init(clients: 2))
        var clients = [try stage.connect(), try stage.connect()]
        let third = try stage.connect()
        #expect(third.lines().first?.contains("\"code\": \"too-many-clients\"") == true)
        #expect(third.isClosed())
        clients.removeLast()
        stage.settle()
        let fourth = try stage.connect()
        fourth.write(line: "{\"request\":\"status\"}")
        stage.settle()
        #expect(fourth.lines() == ["{\"result\": {\"done\": true}}"])
    }

    @Test("a client that floods requests gets one done in each pass of the loop")
    func flood() throws {
        let flood = try stage.connect(), other = try stage.connect()
        flood.write(String(repeating: "{\"request\":\"status\"}\n", count: 500))
        other.write(line: "{\"request\":\"reload\"}")
        var passes = 0
        while !stage.performed.contains(.command(.reload)) {
            stage.loop.run(until: .now, returnAfterSourceHandled: true)
            passes += 1
        }
        #expect(stage.performed.count <= 10)
        #expect(passes < 30)
    }

    @Test("after a half-close the last line is answered, a subscriber still receives events, and others are closed")
    func halfClosed() throws {
        let subscriber = try stage.connect(), one = try stage.connect(), two = try stage.connect()
        let none = try stage.connect()
        subscriber.write(line: Self.subscription)
        one.write("{\"request\":\"status\",\"id\":1}")
        two.write("{\"request\":\"reload\",\"id\":1}\n{\"request\":\"status\",\"id\":2}")
        stage.settle()
        #expect(one.lines().isEmpty)
        for client in [subscriber, one, two, none] { shutdown(client.descriptor, Int32(SHUT_WR)) }
        stage.settle()
        stage.subscribers.send(.touches) { Line("event") }
        stage.settle()
        #expect(subscriber.lines().last == "event" && !subscriber.isClosed())
        #expect(one.lines() == ["{\"id\": 1, \"result\": {\"done\": true}}"])
        #expect(two.lines() == (1...2).map { "{\"id\": \($0), \"result\": {\"done\": true}}" })
        #expect(none.lines().isEmpty)
        #expect(one.isClosed() && two.isClosed() && none.isClosed())
        #expect(stage.server?.clientCount == 1)
        #expect(stage.server?.refusedCount == 0)
    }

    @Test("closed clients leave nothing behind, and an idle loop has nothing to do")
    func gone() throws {
        for _ in 0..<100 {
            let client = try stage.connect()
            client.write(line: Self.subscription)
            stage.settle()
        }
        // A program that another test starts may hold a client's closed descriptor until it runs exec.
        while stage.server?.clientCount != 0 { stage.loop.run(returnAfterSourceHandled: true) }
        #expect(stage.loop.run(until: .now) == .timedOut)
        stage.close()
        #expect(stage.loop.run() == .finished)
        #expect(access(stage.path, F_OK) != 0)
    }

    @Test("a second touchd does not take the socket, and a stale one is replaced")
    func path() throws {
        var information = stat()
        stat(stage.path, &information)
        #expect(information.st_mode & 0o7777 == 0o660)
        #expect(throws: ListeningSocketError.isTaken(path: stage.path)) {
            _ = try ListeningSocket(path: stage.path)
        }
        stage.close()

        let left = FileManager.default.temporaryDirectory
            .appending(path: "touchd-\(UUID().uuidString.prefix(8)).left").path
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        _ = LocalAddress(left)?.withSockaddr { bind(descriptor, $0, $1) }
        close(descriptor)
        let socket = try ListeningSocket(path: left)
        #expect(socket.path == left)
    }

    @Test("a file at the path that is not a socket is kept, and reported with what to do")
    func noSocket() throws {
        let folder = try TemporaryFolder(), file = try folder.file("mine", "mine"), path = file.path
        let failure = #expect(throws: ListeningSocketError.isNoSocket(path: path)) {
            _ = try ListeningSocket(path: path)
        }
        #expect(failure?.description.contains("\(path) is not a socket") == true)
        #expect(try String(contentsOf: file, encoding: .utf8) == "mine")
    }

    @Test("an unusable path is reported with its reason and a fix")
    func noAddress() throws {
        let refused = #expect(throws: ListeningSocketError.self) { _ = try ListeningSocket(path: "/nowhere/c") }
        #expect(
            refused?.description == "cannot listen at /nowhere/c: No such file or directory (ENOENT); check the "
                + "folder, or choose another path with --control")
        let long = "/" + String(repeating: "a", count: 107)
        let server = #expect(throws: ListeningSocketError.self) { _ = try ListeningSocket(path: long) }
        #expect(server?.description.contains("must be 1 to 107 bytes long (got 108); choose another path") == true)
        let client = #expect(throws: ControlConnectionError.self) { _ = try ControlConnection(path: long) }
        #expect(client?.description.contains("must be 1 to 107 bytes long (got 108); give touchd's") == true)
    }
}
