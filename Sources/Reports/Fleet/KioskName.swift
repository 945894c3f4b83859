/// By what a kiosk is known: its host name and its machine ID together.
///
/// Kiosks cloned with their machine ID remain apart by their names, and those that were given one name by their IDs; a
/// kiosk that was given another name counts as two.
public struct KioskName: Hashable, Sendable, Codable, Comparable {
    /// journald's `_HOSTNAME`; empty where an entry has none.
    public var host: String
    /// journald's `_MACHINE_ID`; empty where an entry has none.
    public var machine: String

    /// Whose entry it is; fields that journald adds itself, so no program on the kiosk can choose them.
    init(_ record: JournalRecord) {
        host = PrintableName(record["_HOSTNAME"]).text
        machine = PrintableName(record["_MACHINE_ID"]).text
    }

    /// By host name, then by machine ID.
    public static func < (left: KioskName, right: KioskName) -> Bool {
        (left.host, left.machine) < (right.host, right.machine)
    }
}

/// A name out of a journal that can be printed: a terminal obeys what is written to it, and whoever may write to a
/// journal chooses the name.
struct PrintableName {
    /// Longer ones are cut: systemd's host names have at most 64 characters, and a layout's names hardly more.
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
