import Basics
import Glibc

/// A failed system call, with the kernel's error number.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The failed call, in a form that can be looked up: `epoll_create1`, or `inotify_add_watch(/etc/touchd.yaml)`.
    public let call: String
    /// The value of `errno` after the call.
    public let errno: Int32

    /// Creates an error from a call's name and its `errno`.
    public init(call: String, errno: Int32) {
        self.call = call
        self.errno = errno
    }

    /// The description and the name of the error number, for a message that names the failed operation itself.
    public var reason: String {
        ErrorText.name(of: errno).map { "\(ErrorText.of(errno)) (\($0))" } ?? "error number \(errno)"
    }

    /// The call and the reason.
    public var description: String { "\(call): \(reason)" }

    /// The error of a call that has just failed in this thread.
    static func last(_ call: @autoclosure () -> String) -> SystemError {
        // Read first: creating the string may allocate, and allocation may change errno.
        let number = Glibc.errno
        return SystemError(call: call(), errno: number)
    }
}
