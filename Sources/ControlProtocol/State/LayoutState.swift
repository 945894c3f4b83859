/// How the current layout differs from its file: the answer to the request `layout`.
///
/// It does not contain the views. A client that needs them reads the file, so that a map of thousands of seats costs touchd
/// nothing while it delivers touches.
package struct LayoutState: JSONMessage, Equatable {
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
        package var refused: [PublicationError.Problem]?
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
            visitor.member(
                "refused",
                "in the answer to `views`: the entries that were left out for an invalid name; absent without one",
                \.refused)
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
    package var toggles: [Toggle] = [], slots: [Slot] = [], ignoring: Bool?
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
        visitor.member("ignoring", "whether touches are ignored", \.ignoring)
    }
}
