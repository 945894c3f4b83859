import ControlProtocol

/// The identity of a layout: its version, if its author gave one, and the hash of its files.
package struct LayoutName: Hashable, JSONRecord {
    package var version: String?
    package var hash: String

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("version", "the layout's `version:`", \.version)
        visitor.member("hash", "the hash that `touchd check` prints", \.hash)
    }

    /// The layout that an entry reports as loaded.
    init(_ record: JournalRecord) {
        version = record["TOUCHD_LAYOUT_VERSION"]?.printableName
        hash = record["TOUCHD_LAYOUT_HASH"]?.printableName ?? ""
    }

    /// The layout in a line for people.
    var text: String { (version.map { "version \($0), " } ?? "") + "hash \(hash)" }
}
