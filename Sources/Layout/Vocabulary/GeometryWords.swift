import Foundation
import TouchKit

nonisolated extension LayoutReader {
    /// The greatest distance in points.
    static let reach = 1_000_000.0
    private static let frameNames = ["x", "y", "width", "height"]

    /// `frame:`, `place:` or the cell of a grid.
    mutating func frame(
        _ frame: Node?, _ place: Node?, of name: @autoclosure () -> String, at node: Node?, in context: Context
    ) -> CGRect? {
        if let cell = context.cell {
            if let own = frame ?? place {
                note(at: own, "the grid places \(name()); remove this key, or add 'step' to the grid")
            }
            return cell
        }
        switch (frame, place) {
        case (let frame?, nil): return self.frame(frame, of: name(), in: context)
        case (nil, let place?):
            let words = PlaceWords(size: context.size, owner: name())
            guard let frame = section(words, at: place, called: "'place' of \(words.owner)")?.frame else { return nil }
            let origin = CGPoint(x: frame.x + context.offset.x, y: frame.y + context.offset.y)
            return rectangle(origin.x, origin.y, frame.width, frame.height, of: name(), at: place)
        case (_?, let place?):
            return invalid(place, "\(name()) has both 'frame' and 'place'; keep one")
        case (nil, nil):
            guard let node else { return nil }
            return invalid(
                node, "\(name()) has no 'frame'; add frame: [x, y, width, height], in points of its superview")
        }
    }

    private mutating func frame(_ node: Node, of name: @autoclosure () -> String, in context: Context) -> CGRect? {
        guard isList(node, "the frame of \(name())", named: Self.frameNames) else { return nil }
        let (width, height) = (Double(context.size.width), Double(context.size.height))
        func number(_ index: Int, of whole: Double) -> Double? {
            length(node.item(index), "'\(Self.frameNames[index])' in the frame of \(name())", of: whole)
        }
        // All four before the check, so that each error is reported.
        let lengths = (number(0, of: width), number(1, of: height), number(2, of: width), number(3, of: height))
        guard case (let x?, let y?, let width?, let height?) = lengths else { return nil }
        return rectangle(x + context.offset.x, y + context.offset.y, width, height, of: name(), at: node)
    }

    private mutating func rectangle(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double, of name: @autoclosure () -> String, at node: Node
    ) -> CGRect? {
        guard max(abs(x), abs(y), abs(width), abs(height)) <= Self.reach else {
            return invalid(node, "the frame of \(name()) must be within a million points")
        }
        guard width >= 0, height >= 0 else {
            return invalid(node, "the frame of \(name()) has a width or height below 0")
        }
        return CGRect(x: x, y: y, width: width, height: height)
    }

    /// `shape:` of a view with a size.
    mutating func shape(in size: CGSize) -> ShapeSpec? {
        either(
            { $0.isScalar },
            { $0.keyword(of: ["rectangle", "ellipse"]).map { $0 == "ellipse" ? .ellipse : .rectangle } },
            or: { $0.section(ShapeWords(size: size))?.shape })
    }

    /// One number for all edges, or four numbers.
    mutating func edges(_ bounds: ClosedRange<Double>) -> EdgeInsets? {
        let names = ["top", "left", "bottom", "right"]
        let form = Form.other(
            "a number, or [top, left, bottom, right]", .reference("edges"), simply: .number(nil))
        guard let (node, at) = reads(form) else { return nil }
        return numbers(node, at.what, named: names, in: bounds).map {
            EdgeInsets(top: $0[0], left: $0[1], bottom: $0[2], right: $0[3])
        }
    }
}

/// `shape:` with parameters.
nonisolated struct ShapeWords: Section {
    static let table = Table(
        "shape", ShapeWords(), "The part of the view that can be touched.",
        rules: ["minProperties": 1, "maxProperties": 1])
    var size = CGSize.zero
    var shape: ShapeSpec?

    mutating func words(_ r: inout LayoutReader) {
        if r.isReading, r.at.given.count != 1 {
            r.refuse("'shape' must be rectangle, ellipse, {rounded: RADIUS} or {polygon: [[x, y], …]}")
            r.stop()
        }
        let radius = r.word("rounded", "A rectangle with rounded corners; their radius in points.") {
            $0.number(0...LayoutReader.reach)
        }
        if let radius { shape = .rounded(radius: CGFloat(radius)) }
        let corners = r.word("polygon", "The polygon with these corners.") {
            $0.node(.listOf("[x, y]", .reference("polygon")))
        }
        if let corners { shape = polygon(corners, &r) }
    }

    private func polygon(_ node: Node, _ r: inout LayoutReader) -> ShapeSpec? {
        guard let corners = r.sequence(node, "'polygon'") else { return nil }
        guard (3...LayoutLimit.corners).contains(corners.count) else {
            return r.invalid(node, "a polygon must have 3 to \(LayoutLimit.corners) corners (got \(corners.count))")
        }
        var points: [CGPoint] = []
        for corner in corners {
            guard let items = r.items(corner, "a corner of the polygon", named: ["x", "y"]),
                let x = r.length(items[0], "'x' of the corner", of: size.width),
                let y = r.length(items[1], "'y' of the corner", of: size.height)
            else { continue }
            guard max(abs(x), abs(y)) <= LayoutReader.reach else {
                r.note(at: corner, "a corner of the polygon must be within a million points")
                continue
            }
            guard r.charge(corner, bytes: 2 * MemoryLayout<CGPoint>.stride) else { return nil }
            points.append(CGPoint(x: x, y: y))
        }
        return points.count == corners.count ? .polygon(points) : nil
    }
}

/// `transform:`, always applied in the order scale, rotation, translation, whatever their order in the file.
nonisolated struct TransformWords: Section {
    static let table = Table(
        "transform", TransformWords(), "Scales the view, then rotates it about its center, then moves it.")
    var transform = CGAffineTransform.identity
    /// The least and the greatest factor of the superviews, and then of the view in them.
    var scale = 1.0...1.0

    mutating func words(_ r: inout LayoutReader) {
        let way = r.word("translate", "Distance in points, [x, y].") { r -> [Double]? in
            guard let (node, at) = r.reads(.other("[x, y] in points", .reference("translate"))),
                let way = r.numbers(node, at.what, named: ["x", "y"])
            else { return nil }
            guard way.allSatisfy({ abs($0) <= LayoutReader.reach }) else {
                return r.invalid(node, "'translate' must be at most a million points")
            }
            return way
        }
        if let way { transform = transform.translatedBy(x: way[0], y: way[1]) }
        let degrees = r.word("rotate", "Degrees, clockwise.", called: "'rotate' (degrees)") { $0.number(-3600...3600) }
        if let degrees { transform = transform.rotated(by: degrees * .pi / 180) }
        let factors = r.word("scale", "Scale factor, or [x, y].") { $0.scale() }
        guard let factors else { return }
        transform = transform.scaledBy(x: factors.x, y: factors.y)
        scale = scale.scaled(by: transform)
        let excess = [scale.lowerBound, scale.upperBound].first { !LayoutLimit.scales.contains($0) }
        guard let excess, scale.lowerBound > 0, let node = r.at.value else { return }
        r.note(
            at: node,
            "'scale', multiplied by the scales of the superviews, must be between 0.000001 and 1000000 "
                + "(got \(LayoutReader.text(excess)))")
        // The views in it have no second error.
        scale = 0...0
    }
}

nonisolated extension LayoutReader {
    fileprivate mutating func scale() -> CGPoint? {
        guard let (node, at) = reads(.other("a number, or [x, y]", .reference("scale"), simply: .number(nil)))
        else { return nil }
        let numbers =
            node.kind == .sequence
            ? numbers(node, at.what, named: ["x", "y"]) : number(node, at.what).map { [$0, $0] }
        guard let numbers else { return nil }
        guard !numbers.contains(0) else {
            return invalid(
                node,
                "'scale' must not be 0 (got 0): such a view takes the touches of its whole superview; set 'hidden: true'"
            )
        }
        guard numbers.allSatisfy({ (0.001...1000).contains(abs($0)) }) else {
            return invalid(node, "'scale' must be between 0.001 and 1000, or between -1000 and -0.001")
        }
        return CGPoint(x: numbers[0], y: numbers[1])
    }
}

nonisolated extension ClosedRange<Double> {
    /// The least and the greatest factor after a transform without shear.
    func scaled(by transform: CGAffineTransform) -> ClosedRange {
        let (x, y) = (hypot(transform.a, transform.b), hypot(transform.c, transform.d))
        return lowerBound * .minimum(x, y)...upperBound * .maximum(x, y)
    }
}

nonisolated extension Form {
    static let frame = Form.other("[x, y, width, height]", .reference("frame"))
    private static let sides = "{left: …, top: …, width: …, height: …}"
    static let place = Form.other(sides, .reference("place"), example: sides)
    static let length = Form.other(
        "a number of points or a percentage like 50%", .reference("length"), simply: .number(nil))
}
