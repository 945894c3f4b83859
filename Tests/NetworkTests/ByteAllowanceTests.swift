import Testing

@testable import Network

/// The bytes that a broker may send.
@Suite struct ByteAllowanceTests {
    @Test("a packet that never ends cannot grow, however slowly; finished ones may come for ever")
    func unfinished() {
        var allowance = ByteAllowance(getsMessages: true)
        var received: UInt64 = 0
        for _ in 0..<1000 {
            received += ByteAllowance.forMessages / 2
            allowance.didCompletePacket()
            allowance.didTick(received: received)
        }
        #expect(received < allowance.limit)
        let start = received
        while received <= allowance.limit {
            received += 20_000
            allowance.didTick(received: received)
        }
        #expect(received - start < 2 * ByteAllowance.forMessages)
    }

    @Test("pings and confirmations never end a connection on which nothing else arrives", arguments: [true, false])
    func pings(getsMessages: Bool) {
        var allowance = ByteAllowance(getsMessages: getsMessages)
        var received: UInt64 = 0
        for _ in 0..<100_000 {
            // Each in its own TLS record: a ping, and two confirmations of a message.
            received += 31 + 2 * 33
            allowance.didSendMessage()
            allowance.didTick(received: received)
        }
        #expect(received < allowance.limit)
    }
}
