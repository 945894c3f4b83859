import Foundation

extension View {
    /// What changes when the superview's size does (`UIView.AutoresizingMask`, with its raw values).
    public nonisolated struct AutoresizingMask: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt

        /// Makes a set from its bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// The space to the left.
        public static let flexibleLeftMargin = AutoresizingMask(rawValue: 1 << 0)
        /// The width.
        public static let flexibleWidth = AutoresizingMask(rawValue: 1 << 1)
        /// The space to the right.
        public static let flexibleRightMargin = AutoresizingMask(rawValue: 1 << 2)
        /// The space above.
        public static let flexibleTopMargin = AutoresizingMask(rawValue: 1 << 3)
        /// The height.
        public static let flexibleHeight = AutoresizingMask(rawValue: 1 << 4)
        /// The space below.
        public static let flexibleBottomMargin = AutoresizingMask(rawValue: 1 << 5)
    }

    /// Resizes and moves the subviews that have an `autoresizingMask` after a change of the size.
    func autoresizeSubviews(from former: CGSize) {
        guard details.autoresizesSubviews else { return }
        let size = geometry.bounds.size
        for view in subviews {
            guard let mask = view.ownDetails?.autoresizingMask, !mask.isEmpty else { continue }
            let (origin, extent) = (view.geometry.origin, view.geometry.bounds.size)
            let (x, width) = Self.stretch(
                origin.x, extent.width, in: former.width, to: size.width,
                mask.contains(.flexibleLeftMargin), mask.contains(.flexibleWidth), mask.contains(.flexibleRightMargin))
            let (y, height) = Self.stretch(
                origin.y, extent.height, in: former.height, to: size.height,
                mask.contains(.flexibleTopMargin), mask.contains(.flexibleHeight), mask.contains(.flexibleBottomMargin))
            let place = CGRect(x: x, y: y, width: width, height: height)
            if view.geometry.isTransformed {
                view.bounds.size = place.size
                view.center = CGPoint(x: place.midX, y: place.midY)
            } else {
                view.frame = place
            }
        }
    }

    /// The new start and length of a view on one axis: what is flexible shares the change in proportion, or evenly if it is
    /// empty.
    private static func stretch(
        _ start: CGFloat, _ length: CGFloat, in former: CGFloat, to size: CGFloat,
        _ before: Bool, _ inside: Bool, _ after: Bool
    ) -> (CGFloat, CGFloat) {
        let parts = [before ? start : 0, inside ? length : 0, after ? former - start - length : 0]
        let count = [before, inside, after].count { $0 }
        guard count > 0 else { return (start, length) }
        let sum = parts.reduce(0, +), change = size - former
        func share(_ isFlexible: Bool, _ part: CGFloat) -> CGFloat {
            guard isFlexible else { return 0 }
            return change * (sum > 0 ? part / sum : 1 / CGFloat(count))
        }
        return (start + share(before, parts[0]), max(0, length + share(inside, parts[1])))
    }
}
