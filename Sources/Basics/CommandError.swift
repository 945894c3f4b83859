/// An error of a command that knows its exit status.
package protocol CommandError: Error {
    /// The exit status, from `sysexits.h`.
    var status: Int32 { get }
}
