import Foundation

/// The values of a view that few views set, in one object that the first of them makes: a view without has only a reference.
final class ViewDetails {
    /// The values of a view that has none; nobody sets them.
    static let none = ViewDetails()

    var tag = 0
    var forwardsTouches: Bool?
    var autoresizingMask: View.AutoresizingMask = []
    var autoresizesSubviews = true

    var accessibilityLabel: String?
    var accessibilityValue: String?
    var accessibilityTraits: AccessibilityTraits?
    var isAccessibilityElement: Bool?
    var isReadInOrder = false
    var accessibilityActivationPoint: CGPoint?

    // See `DrawingNames`.
    var backgroundColor: Color?
    var tintColor: Color?
    var contentMode = View.ContentMode.scaleToFill
    var isOpaque = true
    var layer: Layer?

    // Released with its view, on the main thread.
    nonisolated deinit {}
}
