import Foundation

/// One entry of a journal that was exported: its fields by name, as systemd.journal-fields(7) and touchd name them.
public struct JournalRecord: Equatable, Sendable {
    /// The fields; of one that stands there several times, the last.
    public var fields: [String: String]

    /// Makes an entry of its fields.
    public init(fields: [String: String]) { self.fields = fields }

    /// A field's value; nil where the entry has none.
    public subscript(name: String) -> String? { fields[name] }

    /// When journald took the entry; nil where it does not say so.
    public var date: Date? {
        fields["__REALTIME_TIMESTAMP"].flatMap { Double($0) }.map { Date(timeIntervalSince1970: $0 / 1_000_000) }
    }

    /// Where a touch was, in points; nil where the entry is about none, or one in a private view.
    public var location: CGPoint? {
        guard let x = fields["TOUCHD_X"].flatMap({ Double($0) }), let y = fields["TOUCHD_Y"].flatMap({ Double($0) }),
            x.isFinite, y.isFinite
        else { return nil }
        return CGPoint(x: x, y: y)
    }
}
