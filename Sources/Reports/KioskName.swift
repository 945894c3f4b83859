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
        host = record["_HOSTNAME"]?.printableName ?? ""
        machine = record["_MACHINE_ID"]?.printableName ?? ""
    }

    /// Sorts by host name, then by machine ID.
    package static func < (left: KioskName, right: KioskName) -> Bool {
        (left.host, left.machine) < (right.host, right.machine)
    }
}
