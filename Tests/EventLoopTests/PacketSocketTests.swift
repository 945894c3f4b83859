import CLinux
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

    @Test("a packet with two descriptors, or without bytes, is the end; none stays open", arguments: [2, 1])
    func descriptors(count: Int) throws {
        let (near, far) = try PacketSocket.pair()
        var ends: [Int32] = [-1, -1]
        try #require(pipe2(&ends, 0) == 0)
        defer { close(ends[0]) }
        // A header of 16 bytes and the descriptors (cmsg(3)).
        var control = (UInt64(16 + 4 * count), Int32(SOL_SOCKET), Int32(SCM_RIGHTS), ends[1], ends[1])
        var byte: UInt8 = 1
        let sent = withUnsafeMutableBytes(of: &control) { control in
            withUnsafeMutableBytes(of: &byte) { byte in
                var part = iovec(iov_base: byte.baseAddress, iov_len: count - 1)
                return withUnsafeMutablePointer(to: &part) { part in
                    var message = msghdr()
                    (message.msg_iov, message.msg_iovlen) = (part, 1)
                    (message.msg_control, message.msg_controllen) = (control.baseAddress, 24)
                    return sendmsg(far.descriptor, &message, 0)
                }
            }
        }
        try #require(sent == count - 1)
        guard case .end = near.receive(takesDescriptor: true) else {
            Issue.record("it was received")
            return
        }
        close(ends[1])
        // Waits for the thread that closes the copies; with another copy, for ever.
        #expect(read(ends[0], &byte, 1) == 0)
    }

    @Test("a descriptor that nobody asked for stays unread, and is closed with the socket")
    func unwanted() throws {
        var (near, far): (PacketSocket?, PacketSocket) = try PacketSocket.pair()
        var ends: [Int32] = [-1, -1]
        try #require(pipe2(&ends, 0) == 0)
        defer { close(ends[0]) }
        try far.send([1])
        try far.send([2], descriptor: ends[1])
        guard case .value([1], nil)? = near?.receive(), case .end? = near?.receive() else {
            Issue.record("it was received")
            return
        }
        close(ends[1])
        near = nil
        var byte: UInt8 = 0
        #expect(read(ends[0], &byte, 1) == 0)
    }

    private func text(_ socket: PacketSocket) -> String? {
        guard case .value(let bytes, _) = socket.receive() else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
