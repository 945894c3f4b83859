/// Why a value in a JSON text is not the expected one.
package struct MemberError: Error, Equatable, CustomStringConvertible {
    /// The names that lead to the value, the outermost first.
    package private(set) var path: [String] = []
    private let message: String

    package init(_ message: String) { self.message = message }

    /// The error of an object's member with this error.
    func within(_ name: String) -> MemberError {
        var error = self
        error.path.insert(name, at: 0)
        return error
    }

    /// The error with its place.
    package var description: String { path.isEmpty ? message : "'\(path.joined(separator: "."))': \(message)" }
}
