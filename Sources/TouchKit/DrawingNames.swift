import Foundation

/// The names of `UIView` that concern drawing: **they have no effect**, and nothing reads what they are set to.
///
/// touchd never draws. Another program draws the screen, a browser or one written with Qt or Godot, and gets the touches'
/// results from this one; *Draw the screen* in docs/drawing-programs.md shows how. These names exist because views of iOS
/// programs contain them beside the code for touches: such a view compiles, receives touches, and stays invisible. What
/// decides about touches, `isHidden`, `alpha` and geometry, is in `View`.
///
/// Everything of UIKit's that exists without an effect stands in this file.
@MainActor @preconcurrency open class DrawingNames: Responder {
    /// See `ViewDetails`.
    final var ownDetails: ViewDetails?

    /// The values that few views have; those of no view if this one has none.
    final var details: ViewDetails { ownDetails ?? .none }

    /// The view's own values, to set one.
    final var changedDetails: ViewDetails {
        if let ownDetails { return ownDetails }
        let made = ViewDetails()
        ownDetails = made
        return made
    }

    nonisolated deinit {}

    /// Would draw the view; never called.
    open func draw(_ rect: CGRect) {}

    /// Would request drawing.
    open func setNeedsDisplay() {}

    /// Would request drawing of a rectangle.
    open func setNeedsDisplay(_ rect: CGRect) {}

    /// Would be called after a change of `tintColor`; never called.
    open func tintColorDidChange() {}

    /// Would be the color behind the view's drawing.
    open var backgroundColor: Color? {
        get { details.backgroundColor }
        set { changedDetails.backgroundColor = newValue }
    }

    /// Would be the color of what can be touched; blue if none is set.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var tintColor: Color! {
        get { details.tintColor ?? .systemBlue }
        set { changedDetails.tintColor = newValue }
    }

    /// Would place the drawing after a change of the bounds.
    open var contentMode: ContentMode {
        get { details.contentMode }
        set { changedDetails.contentMode = newValue }
    }

    /// Would tell that drawing fills the view; true by default.
    open var isOpaque: Bool {
        get { details.isOpaque }
        set { changedDetails.isOpaque = newValue }
    }

    /// Would be the view's Core Animation layer.
    public final var layer: Layer {
        if let layer = details.layer { return layer }
        let layer = Layer()
        changedDetails.layer = layer
        return layer
    }

    /// Where drawing would be after a change of the bounds (`UIView.ContentMode`, with its raw values).
    public nonisolated enum ContentMode: Int, Sendable {
        // What `UIView.ContentMode` documents.
        // swift-format-ignore
        case scaleToFill, scaleAspectFit, scaleAspectFill, redraw, center, top, bottom, left, right, topLeft, topRight,
            bottomLeft, bottomRight
    }
}

/// What a `CALayer` would show around and behind its view.
@MainActor @preconcurrency public final class Layer {
    /// The radius of the drawn corners; `View.point(inside:with:)` and `Path` make the touched area round.
    public var cornerRadius: CGFloat = 0
    /// Whether sublayers would be drawn only inside.
    public var masksToBounds = false
    /// The width of a border.
    public var borderWidth: CGFloat = 0
    /// The color of a border.
    public var borderColor: Color?
    /// The color of a shadow.
    public var shadowColor: Color?
    /// The opacity of a shadow, from 0 to 1.
    public var shadowOpacity: Float = 0
    /// The distance of a shadow.
    public var shadowOffset = CGSize(width: 0, height: -3)
    /// The blur of a shadow.
    public var shadowRadius: CGFloat = 3
    /// The color behind the view's drawing.
    public var backgroundColor: Color?
    /// The opacity of the drawing from 0 to 1; `View.alpha` decides about touches.
    public var opacity: Float = 1
    /// The order of drawing; that of the subviews decides about touches.
    public var zPosition: CGFloat = 0
}

/// A color (`UIColor`), in red, green, blue and alpha from 0 to 1.
public nonisolated final class Color: Hashable, Sendable {
    /// The red component.
    public let red: CGFloat
    /// The green component.
    public let green: CGFloat
    /// The blue component.
    public let blue: CGFloat
    /// The opacity.
    public let alpha: CGFloat

    /// Makes a color from its components.
    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
    }

    /// Makes a gray.
    public convenience init(white: CGFloat, alpha: CGFloat) {
        self.init(red: white, green: white, blue: white, alpha: alpha)
    }

    /// The same color with another opacity.
    public func withAlphaComponent(_ alpha: CGFloat) -> Color {
        Color(red: red, green: green, blue: blue, alpha: alpha)
    }

    /// The color itself, where shipped code needs a `CGColor`.
    public var cgColor: Color { self }

    /// Would set the color of later drawing.
    public func set() {}

    /// Would set the color of later filling.
    public func setFill() {}

    /// Would set the color of later lines.
    public func setStroke() {}

    /// Compares the components.
    public static func == (left: Color, right: Color) -> Bool {
        left.red == right.red && left.green == right.green && left.blue == right.blue && left.alpha == right.alpha
    }

    /// Hashes the components.
    public func hash(into hasher: inout Hasher) {
        for part in [red, green, blue, alpha] { hasher.combine(part) }
    }
}

/// UIKit's colors; those that follow the system's appearance have the values of its light one.
nonisolated extension Color {
    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    public static let
        clear = Color(white: 0, alpha: 0), black = Color(white: 0, alpha: 1), white = Color(white: 1, alpha: 1),
        darkGray = Color(white: 1 / 3, alpha: 1), gray = Color(white: 0.5, alpha: 1),
        lightGray = Color(white: 2 / 3, alpha: 1), red = rgb(255, 0, 0), green = rgb(0, 255, 0), blue = rgb(0, 0, 255),
        cyan = rgb(0, 255, 255), yellow = rgb(255, 255, 0), magenta = rgb(255, 0, 255), orange = rgb(255, 128, 0),
        purple = rgb(128, 0, 128), brown = rgb(153, 102, 51), systemRed = rgb(255, 59, 48),
        systemOrange = rgb(255, 149, 0), systemYellow = rgb(255, 204, 0), systemGreen = rgb(52, 199, 89),
        systemTeal = rgb(48, 176, 199), systemBlue = rgb(0, 122, 255), systemIndigo = rgb(88, 86, 214),
        systemPurple = rgb(175, 82, 222), systemPink = rgb(255, 45, 85), systemGray = rgb(142, 142, 147),
        systemGray2 = rgb(174, 174, 178), systemGray3 = rgb(199, 199, 204), systemGray4 = rgb(209, 209, 214),
        systemGray5 = rgb(229, 229, 234), systemGray6 = rgb(242, 242, 247), label = black, systemBackground = white,
        secondaryLabel = rgb(60, 60, 67).withAlphaComponent(0.6), secondarySystemBackground = systemGray6

    private static func rgb(_ red: CGFloat, _ green: CGFloat, _ blue: CGFloat) -> Color {
        Color(red: red / 255, green: green / 255, blue: blue / 255, alpha: 1)
    }
}

extension Path {
    /// Would draw the outline.
    public func stroke() {}

    /// Would fill the inside.
    public func fill() {}
}
