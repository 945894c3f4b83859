import Foundation

/// A path as an address of local sockets (unix(7)); one that begins with `@` is in the abstract namespace.
package nonisolated struct LocalAddress {
    private var address = sockaddr_un()
    private let length: socklen_t

    /// How many bytes a path may have (unix(7)).
    package static let lengths = 1...107
    /// The same for a message.
    package static let bounds = "\(lengths.lowerBound) to \(lengths.upperBound) bytes"

    /// Makes an address; nil where the path has not so many bytes.
    package init?(_ path: String) {
        let bytes = Array(path.utf8)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard Self.lengths.contains(bytes.count) else { return nil }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let isAbstract = bytes[0] == UInt8(ascii: "@")
        if isAbstract { address.sun_path.0 = 0 }
        // An abstract name is as long as the address says; a path ends with a null.
        let offset = MemoryLayout<sockaddr_un>.size - room
        length = socklen_t(offset + bytes.count + (isAbstract ? 0 : 1))
    }

    /// Calls with the address as the socket calls take it.
    package func withSockaddr<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }
}
