/// Why the inspector cannot do what the page asks for.
struct SessionError: Error, CustomStringConvertible {
    /// The reason and how to fix it.
    let description: String

    init(_ description: String) { self.description = description }
}
