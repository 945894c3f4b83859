import UIKitNames

/// A canvas for every finger, with each sample of the panel between two events, and without palms.
///
/// A palm is a large contact, a touch that the panel cancels, or any finger once a pencil has drawn.
final class DrawingCanvas: UIView {
    /// A contact with a larger radius is a palm, from its first report or a later one.
    var largestRadius: CGFloat = 40
    private(set) var drawsWithPencil = false
    private(set) var strokes: [[CGPoint]] = []
    /// Where the strokes in progress are likely to go: to be drawn once, and never kept.
    private(set) var prediction: [CGPoint] = []
    private var current: [UITouch: [CGPoint]] = [:]

    override init(frame: CGRect) {
        super.init(frame: frame)
        isMultipleTouchEnabled = true
    }

    var strokesInProgress: [[CGPoint]] { Array(current.values) }

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        if touches.contains(where: { $0.type == .pencil }) {
            drawsWithPencil = true
            for finger in current.keys where finger.type != .pencil { current[finger] = nil }
        }
        for touch in touches where touch.type == .pencil || !drawsWithPencil { current[touch] = [] }
        append(touches, event)
    }

    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) { append(touches, event) }

    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        append(touches, event)
        for touch in touches {
            if let stroke = current.removeValue(forKey: touch) { strokes.append(stroke) }
        }
        prediction = []
    }

    /// The panel found a palm, or a recognizer took the finger: the stroke was not meant.
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        for touch in touches { current[touch] = nil }
        prediction = []
    }

    /// Never called here, where another program draws `strokes`.
    override func draw(_ rect: CGRect) {
        UIColor.black.setStroke()
        for stroke in strokes + strokesInProgress {
            let path = UIBezierPath()
            path.move(to: stroke[0])
            for point in stroke.dropFirst() { path.addLine(to: point) }
            path.stroke()
        }
    }

    private func append(_ touches: Set<UITouch>, _ event: UIEvent?) {
        prediction = []
        for touch in touches where current[touch] != nil {
            guard touch.majorRadius <= largestRadius else {
                current[touch] = nil
                continue
            }
            let samples = event?.coalescedTouches(for: touch) ?? [touch]
            current[touch]? += samples.map { $0.preciseLocation(in: self) }
            setNeedsDisplay()
            prediction += event?.predictedTouches(for: touch)?.map { $0.location(in: self) } ?? []
        }
    }
}
