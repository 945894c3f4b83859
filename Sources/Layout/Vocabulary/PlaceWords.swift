import Foundation

/// `place:`, distances from the superview's edges.
nonisolated struct PlaceWords: Section {
    static let sentence =
        "Two of left, width and right, or center-x and width; and two of top, height and bottom, or center-y and height."
    static let table = Table(
        "place", PlaceWords(), sentence,
        rules: [
            "allOf": [span("left", "width", "right", "center-x"), span("top", "height", "bottom", "center-y")]
        ])

    /// A view, or a grid, has one of them.
    static let frames: JSONSchema = [["required": ["frame"]], ["required": ["place"]]]

    private static func span(_ near: String, _ size: String, _ far: String, _ center: String) -> JSONSchema {
        let pairs = [[near, size], [near, far], [size, far], [size, center]]
        return [
            "oneOf": .list(
                pairs.map { pair in
                    let others = [near, size, far, center].filter { !pair.contains($0) }
                    return [
                        "required": .list(pair.map { .text($0) }),
                        "not": ["anyOf": .list(others.map { ["required": [.text($0)]] })],
                    ]
                })
        ]
    }

    var size = CGSize.zero
    /// The name of what is placed.
    var owner = ""
    var frame: (x: Double, y: Double, width: Double, height: Double)?
    private var given: [(name: String, node: Node)] = []

    init(size: CGSize = .zero, owner: String = "") {
        self.size = size
        self.owner = owner
    }

    mutating func words(_ r: inout LayoutReader) {
        edge("left", "From the superview's left edge to the view's.", &r)
        edge("width", "The width.", &r)
        edge("right", "From the view's right edge to the superview's.", &r)
        edge("center-x", "The horizontal center, from the superview's left edge.", &r)
        edge("top", "From the superview's top edge to the view's.", &r)
        edge("height", "The height.", &r)
        edge("bottom", "From the view's bottom edge to the superview's.", &r)
        edge("center-y", "The vertical center, from the superview's top edge.", &r)
        guard r.isReading, let x = span("left", "width", "right", "center-x", of: size.width, &r),
            let y = span("top", "height", "bottom", "center-y", of: size.height, &r)
        else { return }
        frame = (x.start, y.start, x.length, y.length)
    }

    private mutating func edge(_ name: String, _ sentence: String, _ r: inout LayoutReader) {
        let node = r.word(name, sentence) { $0.node(.length) }
        if let node { given.append((name, node)) }
    }

    private func span(
        _ near: String, _ size: String, _ far: String, _ center: String, of whole: CGFloat, _ r: inout LayoutReader
    ) -> (start: Double, length: Double)? {
        let given = given.filter { [near, size, far, center].contains($0.name) }
        let names = given.map(\.name)
        guard names.count == 2, !names.contains(center) || names.contains(size) else {
            r.refuse("'place' of \(owner) must have two of \(near), \(size) and \(far), or \(center) and \(size)")
            return nil
        }
        let lengths = given.map {
            r.length($0.node, "'\($0.name)' in 'place' of \(owner)", of: Double(whole))
        }
        guard let first = lengths[0], let second = lengths[1] else { return nil }
        switch (names[0], names[1]) {
        case (near, size): return (first, second)
        case (near, far): return (first, Double(whole) - first - second)
        case (size, far): return (Double(whole) - second - first, first)
        default: return (second - first / 2, first)
        }
    }
}
