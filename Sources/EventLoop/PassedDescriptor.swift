/// A descriptor that another process passed (unix(7), `SCM_RIGHTS`). It is closed with the object, on another thread.
package final class PassedDescriptor: Sendable {
    package let number: Int32

    /// Takes ownership of a descriptor.
    package init(_ number: Int32) { self.number = number }

    deinit { DetachedClose.close([number]) }
}
