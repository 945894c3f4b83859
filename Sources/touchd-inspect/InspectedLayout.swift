import ControlProtocol
import Foundation
import Layout
import TouchKit

/// A layout as the page draws it: every view of every page, with its position in the layout's file.
struct InspectedLayout: JSONRecord, Equatable {
    /// A view; geometry is in points, in the superview's coordinates.
    struct View: JSONRecord, Equatable {
        var key: String, location: String, frame: [Double]
        var id, publisher, control, redirect: String?
        var transform: [Double]?, shape: String?, radius: Double?, points: [Double]?, slop: [Double]?
        var hidden, enabled, transparent, passthrough, isPrivate: Bool
        var gestures: [String], handlers: [String], views: [View]

        static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member("key", "by which a trial refers to the view, see `ViewKeys`", \.key)
            visitor.member("id", "its id", \.id)
            visitor.member("location", "its place in the file, FILE:LINE:COLUMN", \.location)
            visitor.member("publisher", "the program that has published it; absent for a view of the file", \.publisher)
            visitor.member("frame", .points, "x, y, width and height, before the transform", \.frame)
            visitor.member(
                "transform", "a, b, c, d, tx, ty, about the frame's center; absent for the identity", \.transform)
            visitor.member("shape", "`ellipse`, `rounded` or `polygon`; absent for a rectangle", \.shape)
            visitor.member("radius", .points, "the radius of a rounded corner", \.radius)
            visitor.member("points", .points, "x and y of each corner of a polygon", \.points)
            visitor.member("slop", .points, "how far outside the shape it can be hit: top, left, bottom, right", \.slop)
            visitor.member("hidden", "as in the layout", \.hidden)
            visitor.member("enabled", "as in the layout", \.enabled)
            visitor.member("transparent", "as in the layout", \.transparent)
            visitor.member("passthrough", "as in the layout", \.passthrough)
            visitor.member("private", "whether touch positions in the view are kept private", \.isPrivate)
            visitor.member("control", "`button`, `toggle` or `repeat`; absent for a plain view", \.control)
            visitor.member("redirect", "the id of the view that receives its touches instead", \.redirect)
            visitor.member("gestures", "its gestures, each by its id or its kind", \.gestures)
            visitor.member("handlers", "the handlers with their triggers, such as `ended: greet`", \.handlers)
            visitor.member("views", "its subviews, back to front") { $0.views }
        }
    }

    struct Page: JSONRecord, Equatable {
        var name: String, views: [View]
        var screen: String?

        static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member("name", "its name", \.name)
            visitor.member("screen", "the screen's name; absent for the first", \.screen)
            visitor.member("views", "its views, back to front") { $0.views }
        }
    }

    var screens: [LayoutState.Screen], pages: [Page], everywhere: [String: [View]]

    static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("screens", "the screens, in the layout's order", \.screens)
        visitor.member("pages", "the pages, in the layout's order") { $0.pages }
        visitor.member(
            "everywhere",
            "the views in front of every page, by the names of their screens; the first screen's name is empty"
        ) { $0.everywhere }
    }

    /// Converts a layout.
    init(_ document: LayoutDocument) {
        var keys = ViewKeys()
        func views(_ specs: [ViewSpec], publishedBy publisher: String? = nil) -> [View] {
            specs.map { spec in
                let key = keys.key(of: spec)
                let subviews = views(spec.views, publishedBy: publisher ?? spec.slot?.publisher)
                return View(spec, key: key, publisher: publisher, views: subviews)
            }
        }
        screens = document.screens.map { screen in
            LayoutState.Screen { ($0.name, $0.width, $0.height) = (screen.name, screen.size.width, screen.size.height) }
        }
        var everywhere: [String: [View]] = [:]
        // The first screen can be referred to by its name or without a name.
        let first = document.screens[0].name
        for (spec, view) in zip(document.views, views(document.views)) {
            everywhere[spec.screen == first ? "" : spec.screen ?? "", default: []].append(view)
        }
        self.everywhere = everywhere
        pages = document.pages.map { Page(name: $0.name, views: views($0.views), screen: $0.screen) }
    }
}

extension InspectedLayout.View {
    fileprivate init(_ spec: ViewSpec, key: String, publisher: String?, views: [Self]) {
        self.key = key
        self.publisher = publisher
        id = spec.id
        location = "\(spec.location)"
        frame = [spec.frame.minX, spec.frame.minY, spec.frame.width, spec.frame.height].map { Double($0) }
        let t = spec.transform
        if !t.isIdentity { transform = [t.a, t.b, t.c, t.d, t.tx, t.ty].map { Double($0) } }
        switch spec.shape {
        case .rectangle: break
        case .rounded(let radius): (shape, self.radius) = ("rounded", Double(radius))
        case .ellipse: shape = "ellipse"
        case .polygon(let corners): (shape, points) = ("polygon", corners.flatMap { [Double($0.x), Double($0.y)] })
        }
        if spec.slop != .zero {
            slop = [spec.slop.top, spec.slop.left, spec.slop.bottom, spec.slop.right].map { Double($0) }
        }
        (hidden, enabled, transparent) = (spec.isHidden, spec.isEnabled, spec.isTransparent)
        (passthrough, isPrivate) = (spec.isPassthrough, spec.isPrivate)
        switch spec.control {
        case .button: control = "button"
        case .toggle: control = "toggle"
        case .repeating: control = "repeat"
        case nil: break
        }
        redirect = spec.redirect
        gestures = spec.gestures.map { $0.id ?? $0.kind.name.rawValue }
        handlers =
            spec.on.map { "\($0.trigger.rawValue): \($0.step.name)" }
            + spec.gestures.flatMap { gesture in
                gesture.on.map { "\(gesture.kind.name) \($0.trigger.rawValue): \($0.step.name)" }
            }
        self.views = views
    }
}

/// Names each view of a layout, in the order of `views:` and then of the pages, superviews first.
///
/// A view keeps its key when others come and go: its id, or its place in the file with a number for the second view of
/// that place and further ones, such as the cells of a grid.
struct ViewKeys {
    private var counts: [String: Int] = [:]

    /// The key of the next view.
    mutating func key(of spec: ViewSpec) -> String {
        let name = spec.id ?? "\(spec.location)", count = counts[name, default: 0] + 1
        counts[name] = count
        return count == 1 ? name : "\(name)#\(count)"
    }
}
