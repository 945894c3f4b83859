import Testing

@testable import Network

/// The queue of a broker's messages against a model of the broker, without a network.
@Suite struct MessageQueueTests {
    private struct Message: Equatable {
        let number: Int, isOnce: Bool, isBad: Bool
    }

    @Test("as many messages are in flight as the limit, in order")
    func limit() {
        var queue = MessageQueue<Int>()
        for number in 0..<40 { queue.append(number, isOnce: false) }
        var sent: [Int] = []
        func send() {
            while let next = queue.next {
                sent.append(next)
                queue.sent(as: Int32(next))
            }
        }
        send()
        #expect(sent == Array(0..<16))
        #expect(queue.confirm(3) == 3)
        #expect(queue.confirm(3) == nil)
        send()
        #expect(sent == Array(0..<17))
        #expect(queue.count == 39)
    }

    @Test("after a lost connection the first message is sent alone; the third time it fails, and the next is sent")
    func refusedMessage() {
        var queue = MessageQueue<String>()
        for message in ["bad", "good"] { queue.append(message, isOnce: false) }
        while queue.next != nil { queue.sent(as: Int32(queue.count)) }
        #expect(queue.connectionEnded(byBroker: true).isEmpty)
        for attempt in 1...3 {
            #expect(queue.isAlone && queue.next == "bad")
            queue.sent(as: 1)
            #expect(queue.next == nil)
            #expect(queue.connectionEnded(byBroker: true).map(\.0) == (attempt == 3 ? ["bad"] : []))
        }
        #expect(queue.next == "good")
    }

    @Test("a connection that ends without the broker's doing fails no message, however often")
    func network() {
        var queue = MessageQueue<String>()
        queue.append("good", isOnce: false)
        for _ in 0..<20 {
            queue.sent(as: 1)
            #expect(queue.connectionEnded(byBroker: false).isEmpty)
        }
        #expect(queue.next == "good")
    }

    @Test("a message that must go once is given up if it may be lost, and is otherwise kept")
    func once() {
        var queue = MessageQueue<String>()
        queue.append("sent", isOnce: true)
        queue.sent(as: 1)
        queue.append("waiting", isOnce: true)
        let given = queue.connectionEnded(byBroker: true)
        #expect(given.map(\.0) == ["sent"] && given.map(\.1) == [.perhapsLost])
        #expect(queue.next == "waiting")
    }

    @Test("with random deaths, refusals and delays each message arrives in order or fails for its own reason")
    func random() {
        for seed in UInt64(1)...500 { #expect(play(seed) == nil, "seed \(seed)") }
    }

    /// Plays a random run and returns what is wrong with it.
    private func play(_ seed: UInt64) -> String? {
        var random = SplitMix(state: seed)
        var queue = MessageQueue<Message>()
        var left = (0..<Int.random(in: 1...60, using: &random)).map {
            Message(
                number: $0, isOnce: Int.random(in: 0..<4, using: &random) == 0,
                isBad: Int.random(in: 0..<12, using: &random) == 0)
        }
        let all = left
        left.reverse()
        var arrived: [Message] = [], refused: [Message] = [], lost: [Message] = []
        var wire: [Message] = []
        var onceSent: Set<Int> = []
        func end(byBroker: Bool) {
            for (message, failure) in queue.connectionEnded(byBroker: byBroker) {
                if failure == .refused { refused.append(message) } else { lost.append(message) }
            }
            wire = []
        }
        var steps = 0
        while !(left.isEmpty && queue.isEmpty), steps < 100_000 {
            steps += 1
            switch Int.random(in: 0..<8, using: &random) {
            case 0...1: if let next = left.popLast() { queue.append(next, isOnce: next.isOnce) }
            case 2...4:
                guard let next = queue.next else { continue }
                if next.isOnce, !onceSent.insert(next.number).inserted { return "sent twice: \(next)" }
                queue.sent(as: Int32(next.number))
                wire.append(next)
            case 5...6:
                guard let first = wire.first else { continue }
                if first.isBad {
                    end(byBroker: true)
                } else {
                    wire.removeFirst()
                    arrived.append(first)
                    // The broker's confirmation gets lost with the connection at times.
                    if Int.random(in: 0..<6, using: &random) == 0 {
                        end(byBroker: false)
                    } else if queue.confirm(Int32(first.number)) != first {
                        return "not in flight: \(first)"
                    }
                }
            default: if Int.random(in: 0..<6, using: &random) == 0 { end(byBroker: false) }
            }
        }
        let given = Set((refused + lost).map(\.number)), came = Set(arrived.map(\.number))
        if !queue.isEmpty || !left.isEmpty { return "it does not end" }
        if let other = refused.first(where: { !$0.isBad }) { return "refused for another one: \(other)" }
        if let other = lost.first(where: { !$0.isOnce }) { return "lost: \(other)" }
        for message in all where message.isBad || message.isOnce ? false : !came.contains(message.number) {
            return "never arrived: \(message)"
        }
        for message in all where message.isBad && !given.contains(message.number) { return "no outcome: \(message)" }
        // What arrives for the first time arrives in order.
        var seen: Set<Int> = []
        let first = arrived.map(\.number).filter { seen.insert($0).inserted }
        return first == first.sorted() ? nil : "out of order: \(first)"
    }
}

/// Random numbers that a seed repeats (splitmix64).
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
