import TouchKit

/// One picture, which one finger moves, and two move, scale and turn at the same time.
final class PictureView: View {
    private let place: CGRect

    init(_ name: String, frame: CGRect) {
        place = frame
        super.init(frame: frame)
        accessibilityIdentifier = name
        isMultipleTouchEnabled = true
    }

    /// Puts the picture in front of the others as soon as it is touched, whatever becomes of the touch.
    override func touchesBegan(_ touches: Set<Touch>, with event: Event?) {
        superview?.bringSubviewToFront(self)
        super.touchesBegan(touches, with: event)
    }

    /// Puts the picture back to where it hung.
    func tidy() {
        transform = .identity
        frame = place
    }

    /// Where it is, as whole numbers.
    var summary: String {
        let scale = (transform.a * transform.a + transform.b * transform.b).squareRoot()
        let degrees = atan2(transform.b, transform.a) * 180 / .pi
        return
            "\(accessibilityIdentifier ?? "") at \(Int(center.x)), \(Int(center.y)), scaled to \(Int(scale * 100)) %, "
            + "turned by \(Int(degrees))°"
    }
}
