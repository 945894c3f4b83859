import Foundation

/// One entry of an exported journal: its fields by name, as in systemd.journal-fields(7) and touchd's own.
package struct JournalRecord: Equatable, Sendable {
    /// The values by field name; the last one if a field is repeated.
    package var fields: [String: String]

    /// Creates an entry from its fields.
    package init(fields: [String: String]) { self.fields = fields }

    /// A field's value; nil if the entry does not have it.
    package subscript(name: String) -> String? { fields[name] }

    /// The date when journald received the entry; nil if it is missing.
    package var date: Date? {
        fields["__REALTIME_TIMESTAMP"].flatMap { Double($0) }.map { Date(timeIntervalSince1970: $0 / 1_000_000) }
    }

    /// The position of a touch in points; nil if the entry has no touch, or one in a private view.
    package var location: CGPoint? {
        guard let x = fields["TOUCHD_X"].flatMap({ Double($0) }), let y = fields["TOUCHD_Y"].flatMap({ Double($0) }),
            x.isFinite, y.isFinite
        else { return nil }
        return CGPoint(x: x, y: y)
    }
}
