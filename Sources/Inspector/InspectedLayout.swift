import Foundation
import Layout
import TouchKit

/// A layout as the page draws it: every view of every page, with its position in the layout's file.
nonisolated struct InspectedLayout: Encodable, Equatable {
    /// A view; geometry is in points, in the superview's coordinates.
    struct View: Encodable, Equatable {
        /// The number by which a trial refers to the view: counted from 0 through the whole layout, superviews first.
        var number: Int
        /// Its id, and its place in the file, FILE:LINE:COLUMN.
        var id: String?
        var location: String
        /// The program that has published it; absent for a view of the file.
        var publisher: String?
        /// x, y, width and height, before the transform.
        var frame: [Double]
        /// a, b, c, d, tx, ty, about the frame's center; absent for the identity.
        var transform: [Double]?
        /// `ellipse`, `rounded` with its radius, `polygon` with x and y of each point; absent for a rectangle.
        var shape: String?
        var radius: Double?
        var points: [Double]?
        /// How far outside the shape it can be hit: top, left, bottom, right; absent if it cannot.
        var slop: [Double]?
        var hidden, enabled, transparent, passthrough: Bool
        /// Whether touch positions in the view are kept private.
        var `private`: Bool
        /// `button`, `toggle` or `repeat`; absent for a plain view.
        var control: String?
        /// The id of the view that receives its touches instead.
        var redirect: String?
        /// Its gestures, each by its id or its kind.
        var gestures: [String]
        /// The handlers with their triggers, such as `ended: greet`.
        var handlers: [String]
        /// Back to front.
        var views: [View]
    }

    /// A page with its views.
    struct Page: Encodable, Equatable {
        var name: String
        /// The screen's name; absent for the first.
        var screen: String?
        var views: [View]
    }

    /// A screen.
    struct Screen: Encodable, Equatable {
        var name: String?
        var width, height: Double
    }

    /// The screens, in the layout's order.
    var screens: [Screen]
    /// The pages, in the layout's order.
    var pages: [Page]
    /// The views in front of every page, by the names of their screens; the first screen's name is empty.
    var everywhere: [String: [View]]

    /// Converts a layout and numbers its views.
    init(_ document: LayoutDocument) {
        var numbers = 0
        func views(_ specs: [ViewSpec], publishedBy publisher: String? = nil) -> [View] {
            specs.map { spec in
                let number = numbers
                numbers += 1
                let subviews = views(spec.views, publishedBy: publisher ?? spec.slot?.publisher)
                return View(spec, number: number, publisher: publisher, views: subviews)
            }
        }
        screens = document.screens.map { Screen(name: $0.name, width: $0.size.width, height: $0.size.height) }
        var everywhere: [String: [View]] = [:]
        // The first screen can be referred to by its name or without a name.
        let first = document.screens[0].name
        for (spec, view) in zip(document.views, views(document.views)) {
            everywhere[spec.screen == first ? "" : spec.screen ?? "", default: []].append(view)
        }
        self.everywhere = everywhere
        pages = document.pages.map { Page(name: $0.name, screen: $0.screen, views: views($0.views)) }
    }
}

nonisolated extension InspectedLayout.View {
    fileprivate init(_ spec: ViewSpec, number: Int, publisher: String?, views: [Self]) {
        self.number = number
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
        (passthrough, `private`) = (spec.isPassthrough, spec.isPrivate)
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
