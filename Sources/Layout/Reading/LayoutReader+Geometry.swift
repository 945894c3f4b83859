import Foundation
import TouchKit

nonisolated extension LayoutReader {
    private static let reach = 1_000_000.0

    /// `frame:`, `place:` or the cell of a grid.
    mutating func frame(
        _ values: YAMLNodes.Values, of name: @autoclosure () -> String, at node: Node, in context: Context
    ) -> CGRect? {
        if let cell = context.cell {
            if let own = values["frame"] ?? values["place"] {
                nodes.note(at: own, "the grid places \(name()); remove this key, or add 'step' to the grid")
            }
            return cell
        }
        switch (values["frame"], values["place"]) {
        case (let frame?, nil): return self.frame(frame, of: name(), in: context)
        case (nil, let place?): return self.place(place, of: name(), in: context)
        case (_?, let place?):
            nodes.note(at: place, "\(name()) has both 'frame' and 'place'; keep one")
            return nil
        case (nil, nil):
            nodes.note(
                at: node, "\(name()) has no 'frame'; add frame: [x, y, width, height], in points of its superview")
            return nil
        }
    }

    mutating func frame(_ node: Node, of name: @autoclosure () -> String, in context: Context) -> CGRect? {
        guard nodes.isList(node, "the frame of \(name())", named: Self.frameNames) else { return nil }
        let (width, height) = (Double(context.size.width), Double(context.size.height))
        func length(_ index: Int, of whole: Double) -> Double? {
            nodes.length(node.item(index), "'\(Self.frameNames[index])' in the frame of \(name())", of: whole)
        }
        // All four before the check, so that each error is reported.
        let lengths = (length(0, of: width), length(1, of: height), length(2, of: width), length(3, of: height))
        guard case (let x?, let y?, let width?, let height?) = lengths else { return nil }
        return rectangle(x + context.offset.x, y + context.offset.y, width, height, of: name(), at: node)
    }

    private static let frameNames = ["x", "y", "width", "height"]

    private mutating func rectangle(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double, of name: @autoclosure () -> String, at node: Node
    ) -> CGRect? {
        guard max(abs(x), abs(y), abs(width), abs(height)) <= Self.reach else {
            nodes.note(at: node, "the frame of \(name()) must be within a million points")
            return nil
        }
        guard width >= 0, height >= 0 else {
            nodes.note(at: node, "the frame of \(name()) has a width or height below 0")
            return nil
        }
        return CGRect(x: x, y: y, width: width, height: height)
    }

    // MARK: Anchored to edges

    private struct Axis {
        var near, size, far, center: String
        var whole: Double
    }

    /// `place:`, distances from the superview's edges.
    mutating func place(_ node: Node, of name: String, in context: Context) -> CGRect? {
        let keys = ["left", "width", "right", "center-x", "top", "height", "bottom", "center-y"]
        guard let values = nodes.mapping(node, "'place' of \(name)", keys: keys) else { return nil }
        let x = Axis(
            near: "left", size: "width", far: "right", center: "center-x", whole: Double(context.size.width))
        let y = Axis(
            near: "top", size: "height", far: "bottom", center: "center-y", whole: Double(context.size.height))
        guard let horizontal = span(values, x, of: name, at: node), let vertical = span(values, y, of: name, at: node)
        else { return nil }
        return rectangle(
            horizontal.start + context.offset.x, vertical.start + context.offset.y, horizontal.length,
            vertical.length, of: name, at: node)
    }

    private mutating func span(
        _ values: YAMLNodes.Values, _ axis: Axis, of name: String, at node: Node
    ) -> (start: Double, length: Double)? {
        let given = [axis.near, axis.size, axis.far, axis.center].filter { values[$0] != nil }
        guard given.count == 2, !given.contains(axis.center) || given.contains(axis.size) else {
            nodes.note(
                at: node,
                "'place' of \(name) must have two of \(axis.near), \(axis.size) and \(axis.far), "
                    + "or \(axis.center) and \(axis.size)")
            return nil
        }
        func length(_ key: String) -> Double? {
            values[key].flatMap { nodes.length($0, "'\(key)' in 'place' of \(name)", of: axis.whole) }
        }
        let lengths = given.map { length($0) }
        guard let first = lengths[0], let second = lengths[1] else { return nil }
        switch (given[0], given[1]) {
        case (axis.near, axis.size): return (first, second)
        case (axis.near, axis.far): return (first, axis.whole - first - second)
        case (axis.size, axis.far): return (axis.whole - second - first, first)
        default: return (second - first / 2, first)
        }
    }

    // MARK: Shape, slop and transform

    /// `shape:`
    mutating func shape(_ node: Node, size: CGSize) -> ShapeSpec? {
        if node.isScalar {
            switch nodes.keyword(node, "'shape'", of: ["rectangle", "ellipse"]) {
            case "rectangle": return .rectangle
            case "ellipse": return .ellipse
            default: return nil
            }
        }
        guard let values = nodes.mapping(node, "'shape'", keys: ["rounded", "polygon"]) else { return nil }
        guard values.count == 1 else {
            nodes.note(at: node, "'shape' must be rectangle, ellipse, {rounded: RADIUS} or {polygon: [[x, y], …]}")
            return nil
        }
        if let radius = values["rounded"] {
            return nodes.number(radius, "'rounded'", in: 0...Self.reach).map { .rounded(radius: CGFloat($0)) }
        }
        return values["polygon"].flatMap { polygon($0, size: size) }
    }

    private mutating func polygon(_ node: Node, size: CGSize) -> ShapeSpec? {
        guard let corners = nodes.sequence(node, "'polygon'") else { return nil }
        guard (3...1000).contains(corners.count) else {
            nodes.note(at: node, "a polygon must have 3 to 1000 corners (got \(corners.count))")
            return nil
        }
        var points: [CGPoint] = []
        for corner in corners {
            guard let items = nodes.items(corner, "a corner of the polygon", named: ["x", "y"]),
                let x = nodes.length(items[0], "'x' of the corner", of: size.width),
                let y = nodes.length(items[1], "'y' of the corner", of: size.height)
            else { continue }
            guard abs(x) <= Self.reach, abs(y) <= Self.reach else {
                nodes.note(at: corner, "a corner of the polygon must be within a million points")
                continue
            }
            guard nodes.charge(corner, bytes: 2 * MemoryLayout<CGPoint>.stride) else { return nil }
            points.append(CGPoint(x: x, y: y))
        }
        return points.count == corners.count ? .polygon(points) : nil
    }

    /// `slop:`, one number for all edges, or four numbers.
    mutating func slop(_ node: Node) -> EdgeInsets? {
        let bounds = 0...10_000.0
        guard node.kind == .sequence else {
            return nodes.number(node, "'slop'", in: bounds).map {
                EdgeInsets(top: CGFloat($0), left: CGFloat($0), bottom: CGFloat($0), right: CGFloat($0))
            }
        }
        let names = ["top", "left", "bottom", "right"]
        guard let items = nodes.items(node, "'slop'", named: names) else { return nil }
        var numbers: [CGFloat] = []
        for index in items.indices {
            if let number = nodes.number(items[index], "'\(names[index])' of 'slop'", in: bounds) {
                numbers.append(CGFloat(number))
            }
        }
        guard numbers.count == 4 else { return nil }
        return EdgeInsets(top: numbers[0], left: numbers[1], bottom: numbers[2], right: numbers[3])
    }

    /// `transform:`, always applied in the order scale, rotation, translation, whatever their order in the file.
    mutating func transform(_ node: Node) -> CGAffineTransform? {
        let keys = ["rotate", "scale", "translate"]
        guard let values = nodes.mapping(node, "'transform'", keys: keys) else { return nil }
        var transform = CGAffineTransform.identity
        if let translate = values["translate"] {
            guard let way = nodes.numbers(translate, "'translate'", named: ["x", "y"]) else { return nil }
            guard way.allSatisfy({ abs($0) <= Self.reach }) else {
                nodes.note(at: translate, "'translate' must be at most a million points")
                return nil
            }
            transform = transform.translatedBy(x: way[0], y: way[1])
        }
        if let rotate = values["rotate"] {
            guard let degrees = nodes.number(rotate, "'rotate' (degrees)", in: -3600...3600) else { return nil }
            transform = transform.rotated(by: degrees * .pi / 180)
        }
        if let scale = values["scale"] {
            guard let factors = self.scale(scale) else { return nil }
            transform = transform.scaledBy(x: factors.x, y: factors.y)
        }
        return transform
    }

    private mutating func scale(_ node: Node) -> CGPoint? {
        let numbers: [Double]?
        if node.kind == .sequence {
            numbers = nodes.numbers(node, "'scale'", named: ["x", "y"])
        } else {
            numbers = nodes.number(node, "'scale'").map { [$0, $0] }
        }
        guard let numbers else { return nil }
        guard !numbers.contains(0) else {
            nodes.note(
                at: node,
                "'scale' must not be 0 (got 0): such a view takes the touches of its whole superview; set 'hidden: true'"
            )
            return nil
        }
        guard numbers.allSatisfy({ (0.001...1000).contains(abs($0)) }) else {
            nodes.note(at: node, "'scale' must be between 0.001 and 1000, or between -1000 and -0.001")
            return nil
        }
        return CGPoint(x: numbers[0], y: numbers[1])
    }
}
