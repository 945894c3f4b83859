/// The identity of a kiosk: its host name and its machine ID.
///
/// Kiosks cloned with their machine ID differ by host name, and kiosks with the same host name differ by machine ID. A
/// renamed kiosk counts as two.
package struct KioskName: Hashable, Sendable, Comparable {
    /// journald's `_HOSTNAME`; empty if an entry has none.
    package var host: String
    /// journald's `_MACHINE_ID`; empty if an entry has none.
    package var machine: String

    /// The kiosk of an entry, from fields that journald adds itself, so no program on the kiosk can choose them.
    init(_ record: JournalRecord) {
        host = record["_HOSTNAME"]?.printable ?? ""
        machine = record["_MACHINE_ID"]?.printable ?? ""
    }

    /// Sorts by host name, then by machine ID.
    package static func < (left: KioskName, right: KioskName) -> Bool {
        (left.host, left.machine) < (right.host, right.machine)
    }
}

extension String {
    /// Longer names are cut: systemd's host names have at most 64 characters, and names in layouts are rarely longer.
    private static let greatestLength = 128

    /// A printable form of a name from a journal. Anybody who can write to the journal chooses its names, and terminals
    /// obey control characters.
    var printable: String {
        if utf8.count <= Self.greatestLength, utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return self }
        var printable = UnicodeScalarView()
        for scalar in unicodeScalars.prefix(Self.greatestLength) {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse:
                printable.append("\u{FFFD}")
            default: printable.append(scalar)
            }
        }
        return String(printable)
    }
}
