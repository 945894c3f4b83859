@testable import ControlProtocol
import Foundation
import Testing

@testable import Outputs
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

    @Test("appended text is written in order for any write size")
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

    @Test("messages without room are dropped whole until half is free, and counted")
    func overflow() {
        var buffer = StreamBuffer(capacity: 20) { Array("[\($0) missing]".utf8) }
        let kept = (0..<6).map { buffer.append(Array("line\($0) ".utf8)) }
        #expect(kept == [true, true, true, false, false, false])
        // There is room for one, but the gap has not ended yet.
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

    @Test("a message longer than the limit is accepted if nothing is waiting")
    func longMessage() {
        var buffer = StreamBuffer(capacity: 4) { _ in [] }
        let isTaken = [buffer.append(Array("longer".utf8)), buffer.append(Array("x".utf8))]
        #expect(isTaken == [true, false])
    }
}
