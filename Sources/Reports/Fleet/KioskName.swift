/// The identity of a kiosk: its host name and its machine ID.
///
/// Kiosks cloned with their machine ID differ by host name, and kiosks with the same host name differ by machine ID. A
/// renamed kiosk counts as two.
package struct KioskName: Hashable, Sendable, Codable, Comparable {
    /// journald's `_HOSTNAME`; empty if an entry has none.
    package var host: String
    /// journald's `_MACHINE_ID`; empty if an entry has none.
    package var machine: String

    /// The kiosk of an entry, from fields that journald adds itself, so no program on the kiosk can choose them.
    init(_ record: JournalRecord) {
        host = PrintableName(record["_HOSTNAME"]).text
        machine = PrintableName(record["_MACHINE_ID"]).text
    }

    /// Sorts by host name, then by machine ID.
    package static func < (left: KioskName, right: KioskName) -> Bool {
        (left.host, left.machine) < (right.host, right.machine)
    }
}

/// A printable form of a name from a journal. Anybody who can write to the journal chooses its names, and terminals
/// obey control characters.
struct PrintableName {
    /// Longer names are cut: systemd's host names have at most 64 characters, and names in layouts are rarely longer.
    static let greatestLength = 128

    let text: String

    init(_ name: String?) {
        guard let name else {
            text = ""
            return
        }
        if name.utf8.count <= Self.greatestLength, name.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) {
            text = name
            return
        }
        var printable = String.UnicodeScalarView()
        for scalar in name.unicodeScalars.prefix(Self.greatestLength) {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse:
                printable.append("\u{FFFD}")
            default: printable.append(scalar)
            }
        }
        text = String(printable)
    }
}
