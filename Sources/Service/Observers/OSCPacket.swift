/// An OSC 1.0 bundle, written into a buffer that is reused.
struct OSCPacket {
    private(set) var bytes: [UInt8] = []
    /// Where the current message's size is written.
    private var start = 0

    /// - Parameter capacity: Bytes that are reserved at once.
    init(capacity: Int) { bytes.reserveCapacity(capacity) }

    /// Starts a bundle; its time tag says "immediately".
    mutating func begin() {
        bytes.removeAll(keepingCapacity: true)
        append("#bundle")
        append(UInt32(0))
        append(UInt32(1))
    }

    /// Adds a message's address and the types of its arguments: `s`, and then `i` or `f` as often as `count`.
    mutating func beginMessage(_ address: StaticString, then type: UInt8, count: Int, first: String = ",s") {
        start = bytes.count
        append(UInt32(0))
        append(address)
        bytes.append(contentsOf: first.utf8)
        bytes.append(contentsOf: repeatElement(type, count: count))
        pad()
    }

    mutating func endMessage() {
        withUnsafeBytes(of: UInt32(bytes.count - start - 4).bigEndian) { size in
            for index in 0..<4 { bytes[start + index] = size[index] }
        }
    }

    mutating func append(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        pad()
    }

    mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
        pad()
    }

    mutating func append(_ number: UInt32) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func append(_ number: Float) { append(number.bitPattern) }

    /// Ends a text with one to four zeros.
    private mutating func pad() { bytes.append(contentsOf: repeatElement(0, count: 4 - bytes.count % 4)) }
}
