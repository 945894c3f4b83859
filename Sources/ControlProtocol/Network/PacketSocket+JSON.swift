import EventLoop
import Glibc

extension PacketSocket {
    /// Sends a value as one packet, with a copy of a descriptor unless it is negative.
    package func send(_ value: some JSONWritable, descriptor passed: Int32 = -1) throws(SystemError) {
        try send(value.jsonLine, descriptor: passed)
    }

    /// Receives the next value; the caller closes a descriptor that comes with it.
    package func receive<Value: JSONReadable>(_ type: Value.Type, limit: Int = packetLimit) -> Received<Value> {
        receive(limit: limit) { try? JSONTree($0).decode(type) }
    }

    /// Receives the next packet and reads it; an invalid one is the end.
    package func receive<Value>(limit: Int = packetLimit, _ read: ([UInt8]) -> Value?) -> Received<Value> {
        switch receive(limit: limit) {
        case .value(let bytes, let descriptor):
            if let value = read(bytes) { return .value(value, descriptor: descriptor) }
            if descriptor >= 0 { close(descriptor) }
            return .end
        case .nothing: return .nothing
        case .end: return .end
        }
    }
}
