/// A part of a touchscreen's last minutes: the answer to the request `recording`.
package struct RecordingPart: JSONMessage {
    package var source: UInt32 = 0, name = "", text = "", next: Int?
    package init() {}

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("source", "the touchscreen's number in `devices`", \.source)
        visitor.member("name", "its name", \.name)
        visitor.member("text", "the part, as evemu text", \.text)
        visitor.member("next", "the number of the next part; absent in the last one", \.next)
    }
}
