import Basics

/// A page of the loaded layout, in the answer to the request `list-pages`.
package struct PageState: JSONMessage, Equatable {
    package var page = "", screen: String?, shown = false
    package init() {}

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("page", "its name", \.page)
        visitor.member("screen", "its screen, if the layout has several", \.screen)
        visitor.member("shown", "whether its screen shows it", \.shown)
    }

    /// The page as a readable line.
    package var summary: String { [page, screen.map { "on screen \($0)" }, shown ? "shown" : nil].columns }
}

/// A part of the views that are loaded: the answer to the request `list-views`.
package struct ViewList: JSONMessage, Equatable {
    /// A view with an id, without those inside private views.
    package struct View: JSONMessage, Equatable {
        package var view = "", page: String?, screen: String?, frame = Frame(x: 0, y: 0, width: 0, height: 0)
        package var hidden = false, enabled = true, on: Bool?, covered: Bool?
        package init() {}

        package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member("view", "its id", \.view)
            visitor.member("page", "its page; absent for a view on every page", \.page)
            visitor.member("screen", "its screen, if the layout has several", \.screen)
            visitor.member("frame", "[x, y, width, height] on its screen, in points", \.frame)
            visitor.member("hidden", "whether it or a view around it is hidden", \.hidden)
            visitor.member("enabled", "whether it and the views around it are enabled", \.enabled)
            visitor.member("on", "whether a toggle is on; absent for another view", \.on)
            visitor.member(
                "covered",
                "whether a touch in its middle goes to a view that is not in it; absent if it is not shown or not enabled",
                \.covered)
        }

        /// The view as a readable line.
        package var summary: String {
            // A layout has a frame of any size, which is not always an Int.
            let numbers = [frame.width, frame.height, frame.x, frame.y].map {
                Int(exactly: $0.rounded()).map { "\($0)" } ?? "\($0)"
            }
            return [
                view, page.map { "on \($0)" }, screen.map { "on screen \($0)" },
                "\(numbers[0]) \(Terminal.times) \(numbers[1]) at (\(numbers[2]), \(numbers[3]))",
                hidden ? "hidden" : nil,
                enabled ? nil : "disabled", on.map { $0 ? "on" : "off" }, covered == true ? "covered" : nil,
            ].columns
        }
    }

    package var views: [View] = [], next: Int?
    package init() {}

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("views", "the views with an id, sorted by id", \.views)
        visitor.member("next", "the number of the next part; absent in the last one", \.next)
    }
}

extension [String?] {
    /// The words of a line; the first one fills a column.
    fileprivate var columns: String {
        let words = compactMap { $0 }, name = words.first ?? ""
        guard words.count > 1 else { return name }
        let space = String(repeating: " ", count: Swift.max(0, 18 - name.count))
        return ([name + space] + words.dropFirst()).joined(separator: "  ")
    }
}
