import CLinux
import Glibc

/// A system call that failed, with the call and what the kernel said.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The call that failed, in words a reader can look up: `epoll_create1`, or `inotify_add_watch(/etc/touchd.yaml)`.
    public let call: String
    /// The value of `errno` after the call.
    public let errno: Int32

    /// Makes an error from a call's name and its `errno`.
    public init(call: String, errno: Int32) {
        self.call = call
        self.errno = errno
    }

    /// The kernel's words and the name of the error number, for a message that says in its own words what failed.
    public var reason: String {
        // Both functions answer pointers to constant strings, or nothing for a number the C library does not know.
        guard let words = strerrordesc_np(errno), let name = strerrorname_np(errno) else {
            return "error number \(errno)"
        }
        return "\(String(cString: words)) (\(String(cString: name)))"
    }

    /// The call and the reason.
    public var description: String { "\(call): \(reason)" }

    /// The error of a call that has just failed in this thread.
    static func last(_ call: @autoclosure () -> String) -> SystemError {
        // Read first: making the string may allocate, and allocation may change errno.
        let number = Glibc.errno
        return SystemError(call: call(), errno: number)
    }
}
