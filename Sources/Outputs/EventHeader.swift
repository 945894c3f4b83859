/// What is known before anything is described.
package struct EventHeader: Sendable {
    package enum Kind: Sendable {
        case touch, gesture, control, page, idle, published, accessibility
    }

    package let kind: Kind
    /// Whether it is one of many steps between a beginning and an end: a moved touch, a changed gesture.
    package let isStep: Bool
    /// The number of the touch; 0 without one.
    package let touch: Int
    /// In seconds, on the clock of the devices' frames.
    package let time: Double

    package init(_ kind: Kind, isStep: Bool = false, touch: Int = 0, time: Double) {
        (self.kind, self.isStep, self.touch, self.time) = (kind, isStep, touch, time)
    }
}
