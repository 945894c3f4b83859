/// The identity of a layout: its version, if its author gave one, and the hash of its files.
package struct LayoutName: Hashable, Sendable, Codable {
    /// The layout's `version:`; nil without one.
    package var version: String?
    /// The hash that `touchd check` prints.
    package var hash: String

    /// The layout that an entry reports as loaded.
    init(_ record: JournalRecord) {
        version = record["TOUCHD_LAYOUT_VERSION"]?.printable
        hash = record["TOUCHD_LAYOUT_HASH"]?.printable ?? ""
    }

    /// The layout in a line for people.
    var text: String { (version.map { "version \($0), " } ?? "") + "hash \(hash)" }
}
