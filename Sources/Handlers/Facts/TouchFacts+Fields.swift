import Foundation

extension TouchFacts {
    /// The facts under the names of the journal's fields.
    package var fields: [(name: String, value: String)] {
        var fields = [("TOUCHD_TOUCH", "\(touch)"), ("TOUCHD_PHASE", phase.name), ("TOUCHD_VIEW", view ?? "")]
        if let page { fields.append(("TOUCHD_PAGE", page)) }
        if let screen { fields.append(("TOUCHD_SCREEN", screen)) }
        if let location {
            fields.append(("TOUCHD_X", Self.coordinate(location.x)))
            fields.append(("TOUCHD_Y", Self.coordinate(location.y)))
        }
        fields.append(("TOUCHD_DEVICE", device))
        fields.append(("TOUCHD_TIME", timestamp))
        return fields
    }

    /// A coordinate in points with two decimals: finer than any panel's resolution, and short enough to read.
    package static func coordinate(_ value: CGFloat) -> String { FactValue.measure(value).text }
}
