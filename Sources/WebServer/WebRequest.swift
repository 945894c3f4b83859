/// A request within the limits that the guard accepted.
package struct WebRequest: Sendable {
    /// `GET` or `POST`.
    package var method: String
    /// The path without the query, not decoded.
    package var path: String
    /// Empty for `GET`.
    package var body: [UInt8]
}
