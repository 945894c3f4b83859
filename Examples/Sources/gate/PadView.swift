import TouchKit

/// The keys of a PIN pad, three by four, and nothing of what is touched in it for anybody to read: it is private.
///
/// A key sends `digit`, `clear` or `back` up the responder chain; whose view the pad is in does something about it.
final class PadView: View {
    static let digit: Selector = "digit"
    static let clear: Selector = "clear"
    static let back: Selector = "back"

    override init(frame: CGRect) {
        super.init(frame: frame)
        accessibilityIdentifier = "pad"
        isPrivate = true
        let width = frame.width / 3
        let height = frame.height / 4
        let keys = (1...9).map { (Self.digit, $0) } + [(Self.clear, 0), (Self.digit, 0), (Self.back, 0)]
        for (place, (action, digit)) in keys.enumerated() {
            let cell = CGRect(
                x: Double(place % 3) * width, y: Double(place / 3) * height, width: width, height: height)
            let button = Button(frame: cell.insetBy(dx: 10, dy: 10))
            button.tag = digit
            button.addTarget(nil, action: action, for: .touchUpInside)
            addSubview(button)
        }
    }

    /// A touch in a gap between keys goes to the nearest key.
    override func hitTest(_ point: CGPoint, with event: Event?) -> View? {
        let view = super.hitTest(point, with: event)
        guard view === self else { return view }
        return subviews.min { distance(from: point, to: $0.center) < distance(from: point, to: $1.center) }
    }

    private func distance(from point: CGPoint, to other: CGPoint) -> CGFloat {
        (point.x - other.x) * (point.x - other.x) + (point.y - other.y) * (point.y - other.y)
    }
}
