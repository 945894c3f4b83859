import EventLoop
import Glibc

extension PacketSocket {
    /// Sends a value as one packet, with a copy of a descriptor unless it is negative.
    package func send(_ value: some JSONWritable, descriptor passed: Int32 = -1) throws(SystemError) {
        try send(value.jsonLine, descriptor: passed)
    }

    /// Receives the next value, and the descriptor passed with it.
    package func receive<Value: JSONReadable>(
        _ type: Value.Type, limit: Int = packetLimit, takesDescriptor: Bool = false
    ) -> Received<Value> {
        receive(limit: limit, takesDescriptor: takesDescriptor) { try? JSONTree($0).decode(type) }
    }

    /// Receives the next value, if this pass of the loop has bytes left for it: touches come between passes.
    ///
    /// - Parameter left: How many bytes may be read. A packet costs its size, but at least 1 KiB, because handling its value
    ///   takes time, too.
    package func receive<Value: JSONReadable>(
        _ type: Value.Type, limit: Int, takesDescriptor: Bool = false, left: inout Int
    ) -> Received<Value> {
        guard left > 0 else { return .nothing }
        return receive(limit: limit, takesDescriptor: takesDescriptor) { bytes in
            left -= max(bytes.count, 1024)
            return try? JSONTree(bytes).decode(type)
        }
    }

    /// Receives the next packet and reads it; an invalid one is the end.
    package func receive<Value>(
        limit: Int = packetLimit, takesDescriptor: Bool = false, _ read: ([UInt8]) -> Value?
    ) -> Received<Value> {
        switch receive(limit: limit, takesDescriptor: takesDescriptor) {
        case .value(let bytes, let descriptor): read(bytes).map { .value($0, descriptor: descriptor) } ?? .end
        case .nothing: .nothing
        case .end: .end
        }
    }
}
