/// A device with the units of its axes and its mapping to the screen: the answer to the request `devices`.
package struct DeviceState: JSONMessage, Equatable {
    /// The range of an axis, in the device's units.
    package struct Axis: JSONMessage, Equatable {
        package var minimum: Int32 = 0, maximum: Int32 = 0, resolution: Int32 = 0
        package init() {}

        package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member("minimum", "the announced minimum; the device may send values outside the range", \.minimum)
            visitor.member("maximum", "the announced maximum", \.maximum)
            visitor.member("resolution", "units per millimeter; 0 if unknown", \.resolution)
        }
    }

    package var source: UInt32 = 0, name = "", path = "", use = DeviceUse.used, reason: String?, kind = ""
    package var touchProtocol: String?, x, y: Axis?, matrix: [Double] = [], region: [Double] = []
    package var screen: String?, forward: String?, forwardRemark: String?
    package init() {}

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("source", "the device's number in `inspection` events", \.source)
        visitor.member(.name, \.name)
        visitor.member(.path, \.path)
        visitor.member(.use, \.use)
        visitor.member(.reason, \.reason)
        visitor.member(.kind, \.kind)
        visitor.member(.touchProtocol, \.touchProtocol)
        visitor.member("x", "the range of the horizontal axis", \.x)
        visitor.member("y", "the range of the vertical axis", \.y)
        visitor.member(
            "matrix",
            "the first two rows of the matrix that maps a position in the device's unit square to the screen's",
            \.matrix)
        visitor.member(
            "region", "the covered part of the screen: x, y, width and height as fractions of the screen's size",
            \.region)
        visitor.member("screen", "the name of its screen; absent for the first", \.screen)
        visitor.member(.forward, \.forward)
        visitor.member(.forwardRemark, \.forwardRemark)
    }
}
