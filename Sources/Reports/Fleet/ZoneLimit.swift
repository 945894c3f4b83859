/// How many views a report counts by their names, of those that no layout names.
///
/// A program that can write entries that look like touchd's can name any number of views. Without a limit the report's
/// memory would grow with the journal, and the views never touched with the product of kiosks and names.
struct ZoneLimit {
    /// Of one kiosk; a seat map has some hundreds.
    static let ofKiosk = 2000
    /// Of all kiosks together: each counts as often as it has kiosks. A count and its name take some 200 bytes.
    static let inAll = 500_000
    /// How many names times kiosks are compared to find views that were never touched.
    static let comparisons = 1_000_000
    /// The name under which the touches of further views are counted.
    static let otherViews = "…"

    private var remaining = inAll

    /// Takes one more view of a kiosk that has `count`; false if there are too many.
    mutating func accepts(_ count: inout Int) -> Bool {
        guard count < Self.ofKiosk, remaining > 0 else { return false }
        count += 1
        remaining -= 1
        return true
    }

    /// How many names each kiosk is compared with.
    static func comparedNames(kiosks: Int) -> Int { min(ofKiosk, comparisons / max(1, kiosks)) }
}
