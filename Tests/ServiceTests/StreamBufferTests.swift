@testable import ControlProtocol
import Foundation
import Testing

@testable import Service

@Suite("A stream's buffer") struct StreamBufferTests {
    private func text(_ buffer: inout StreamBuffer, taking limit: Int = .max) -> String {
        var taken: [UInt8] = []
        buffer.drain { bytes in
            let count = min(bytes.count, limit - taken.count)
            taken += bytes.prefix(count)
            return count
        }
        return String(decoding: taken, as: UTF8.self)
    }

    @Test("what is appended is written in order, whatever the writer takes at a time")
    func order() {
        var buffer = StreamBuffer(capacity: 100) { _ in [] }
        for word in ["one ", "two ", "three "] { buffer.append(Array(word.utf8)) }
        let first = text(&buffer, taking: 6)
        #expect(first == "one tw")
        buffer.append(Array("four".utf8))
        let second = text(&buffer)
        #expect(second == "o three four")
        #expect(buffer.isEmpty)
    }

    @Test("messages that find no room are dropped whole, with all that follow until half has gone, and counted there")
    func overflow() {
        var buffer = StreamBuffer(capacity: 20) { Array("[\($0) missing]".utf8) }
        let kept = (0..<6).map { buffer.append(Array("line\($0) ".utf8)) }
        #expect(kept == [true, true, true, false, false, false])
        // Room for one, but the hole is not over yet.
        let first = text(&buffer, taking: 6)
        let isTaken = buffer.append(Array("x".utf8))
        #expect(first == "line0 " && !isTaken)
        let rest = text(&buffer)
        #expect(rest == "line1 line2 [4 missing]")
        buffer.append(Array("after".utf8))
        let after = text(&buffer)
        #expect(after == "after")
        #expect(buffer.droppedInAll == 4)
    }

    @Test("a message longer than the bound is taken if nothing waits")
    func longMessage() {
        var buffer = StreamBuffer(capacity: 4) { _ in [] }
        let isTaken = [buffer.append(Array("longer".utf8)), buffer.append(Array("x".utf8))]
        #expect(isTaken == [true, false])
    }
}

@Suite("A sampler of moves") struct MoveSamplerTests {
    @Test("lets through so many moves of each touch a second")
    func rate() {
        var sampler = MoveSampler(perSecond: 4)
        let times = stride(from: 0.0, to: 2, by: 0.01)
        for touch in 1...2 {
            let taken = times.filter { sampler.takes(touch: touch, at: $0) }
            #expect(taken.count == 8)
        }
    }

    @Test("lets none through unless asked")
    func off() {
        var sampler = MoveSampler(perSecond: 0)
        let isTaken = sampler.takes(touch: 1, at: 0)
        #expect(!isTaken)
    }
}
