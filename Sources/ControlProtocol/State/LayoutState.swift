/// How the current layout differs from its file: the answer to the request `layout`.
///
/// It does not contain the views. A client that needs them reads the file, so that a map of 50,000 seats costs touchd
/// nothing while it delivers touches.
package struct LayoutState: JSONMessage, Equatable {
    /// A screen.
    package struct Screen: JSONMessage, Equatable {
        package var name: String?, width = 0.0, height = 0.0, page: String?
        package init() {}

        package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member("name", "its name, if the layout has several screens", \.name)
            visitor.member("width", .points, "its size", \.width)
            visitor.member("height", .points, "see `width`", \.height)
            visitor.member("page", "the page that it shows, if the layout has pages", \.page)
        }
    }

    /// A toggle.
    package struct Toggle: JSONMessage, Equatable {
        package var view = "", on = false
        package init() {}

        package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member("view", "its id", \.view)
            visitor.member("on", "whether it is on", \.on)
        }
    }

    /// A slot for published views.
    package struct Slot: JSONMessage, Equatable {
        package var slot = "", publisher: String?, views = 0, x = 0.0, y = 0.0, width = 0.0, height = 0.0
        package init() {}

        package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member("slot", "its name", \.slot)
            visitor.member(
                "publisher", "the program that published its views; absent while the slot is empty", \.publisher)
            visitor.member("views", "the number of its views, with their subviews", \.views)
            visitor.member("x", .points, "its frame on its screen", \.x)
            visitor.member("y", .points, "see `x`", \.y)
            visitor.member("width", .points, "see `x`", \.width)
            visitor.member("height", .points, "see `x`", \.height)
        }
    }

    /// The views that a program has published in a slot: the answer to the request `slot`.
    package struct Publication: JSONMessage {
        package var publisher: String?, frames: [String: Frame] = [:], views: JSONTree?
        package init() {}

        package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member("publisher", "the program's name; absent while the slot is empty", \.publisher)
            visitor.member("frames", "the frames of the views that were moved since, by id", \.frames)
            visitor.member("views", "the list of views as it was published; empty while the slot is", \.views)
        }
    }

    package var layout: String?, refusal: String?, screens: [Screen] = [], views: [InspectionRecord.ViewState] = []
    package var toggles: [Toggle] = [], slots: [Slot] = []
    package init() {}

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("layout", "the layout's path; absent if the program creates its windows itself", \.layout)
        visitor.member(
            "refusal", "why the last reload was refused; if there is one, the current layout differs from the file",
            \.refusal)
        visitor.member("screens", "the screens, in the layout's order", \.screens)
        visitor.member("views", "the views that differ from the file, without those inside private views", \.views)
        visitor.member("toggles", "the toggles with an id, without those inside private views", \.toggles)
        visitor.member("slots", "the slots, by name", \.slots)
    }
}

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

    package var source: UInt32 = 0, name = "", path = "", use = "used", reason: String?, kind = ""
    package var touchProtocol: String?, x, y: Axis?, matrix: [Double] = [], region: [Double] = []
    package var screen: String?, forward: String?, forwardRemark: String?
    package init() {}

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("source", "the device's number in `inspection` events", \.source)
        visitor.member("name", "the device's name", \.name)
        visitor.member("path", "its event node", \.path)
        visitor.member("use", "`used`, `ignored` or `failed`", \.use)
        visitor.member("reason", "why it is not used", \.reason)
        visitor.member("kind", "`touchscreen`, `mouse` and so on", \.kind)
        visitor.member("touchProtocol", "how it reports contacts; absent if it reports none", \.touchProtocol)
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
        visitor.member("forward", "the node of the virtual touchscreen that forwards its touches", \.forward)
        visitor.member(
            "forwardRemark", "why its touches are not forwarded although its rule has `forward: true`", \.forwardRemark)
    }
}

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
