import ControlProtocol
import Foundation

extension TouchFacts {
    /// The facts under the names of the journal's fields.
    package var fields: [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        fields.reserveCapacity(9)
        fields.append(("TOUCHD_TOUCH", "\(touch)"))
        fields.append(("TOUCHD_PHASE", phase.name))
        fields.append(("TOUCHD_VIEW", view ?? ""))
        if let page { fields.append(("TOUCHD_PAGE", page)) }
        if let screen { fields.append(("TOUCHD_SCREEN", screen)) }
        if let location {
            fields.append(("TOUCHD_X", "\(Double(location.x).hundredths)"))
            fields.append(("TOUCHD_Y", "\(Double(location.y).hundredths)"))
        }
        fields.append(("TOUCHD_DEVICE", device))
        fields.append(("TOUCHD_TIME", timestamp))
        return fields
    }
}
