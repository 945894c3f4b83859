/// Why a socket cannot be bound to a path.
package enum ListeningSocketError: Error, Equatable {
    /// Another process listens there.
    case isTaken(path: String)
    /// The path is another kind of file, which is not removed.
    case isNoSocket(path: String)
    /// The path is too long for a socket address.
    case isNoAddress(path: String)
    /// The kernel's error.
    case refused(path: String, SystemError)
}
