import EventLoop
import Glibc
import Testing

@Suite("PacketSocket")
struct PacketSocketTests {
    @Test("what a peer sent before it ended arrives, though it did not read all that was sent to it")
    func endWithUnreadPackets() throws {
        var (near, far): (PacketSocket, PacketSocket?) = try PacketSocket.pair()
        try near.send(Array("unread".utf8))
        for text in ["first", "second", "third"] { try far?.send(Array(text.utf8)) }
        far = nil
        #expect((1...4).map { _ in text(near) } == ["first", "second", "third", nil])
    }

    @Test("a packet that is larger than the limit is the end")
    func tooLarge() throws {
        let (near, far) = try PacketSocket.pair()
        try far.send(Array("123456789".utf8))
        guard case .end = near.receive(limit: 8) else {
            Issue.record("it was received")
            return
        }
    }

    private func text(_ socket: PacketSocket) -> String? {
        guard case .value(let bytes, _) = socket.receive() else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
