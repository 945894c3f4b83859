import CLinux

/// The texts of the kernel's error numbers.
package enum ErrorText {
    /// The description of an error number, as strerror(3) gives it in the C locale, but safe on any thread.
    package static func of(_ number: Int32) -> String {
        strerrordesc_np(number).map { String(cString: $0) } ?? "Unknown error \(number)"
    }

    /// The name of an error number, such as `ENOENT`; nil for an unknown one.
    package static func name(of number: Int32) -> String? {
        strerrorname_np(number).map { String(cString: $0) }
    }
}
