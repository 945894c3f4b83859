import Foundation
import TouchKit

/// Rectangles and the points to look for in them, the same for every toolkit.
///
/// All numbers are whole, as QWidget has no others.
public struct Layout {
    /// How the rectangles lie.
    public enum Kind: String, CaseIterable {
        /// Squares of 10 points side by side, with 2 points between.
        case flat
        /// A square with four in it, each of which has four in it, and so on.
        case nested
        /// Rectangles of 50 to 250 points anywhere in a square of 4096, over each other.
        case overlapping
        /// As flat, each square turned by 30 degrees around its middle.
        case transformed
    }

    /// A rectangle in another, or in the whole where `parent` is -1; turned about its middle.
    public struct Rectangle {
        var parent: Int
        var x: Int
        var y: Int
        var width: Int
        var height: Int
        var degrees = 0
    }

    /// How they lie.
    public let kind: Kind
    /// How wide the whole is.
    public let width: Int
    /// How high the whole is.
    public let height: Int
    /// The rectangles, each after the one that it is in.
    public private(set) var rectangles: [Rectangle] = []
    /// The points to look for.
    public private(set) var points: [(x: Int, y: Int)] = []

    /// Makes a number of rectangles of one kind; the same in every run.
    public init(_ kind: Kind, count: Int) {
        self.kind = kind
        var random = Random(state: 1)
        switch kind {
        case .flat, .transformed:
            let columns = max(1, Int((Double(count) * 16 / 9).squareRoot()))
            width = columns * 12
            height = (count + columns - 1) / columns * 12
            for number in 0..<count {
                rectangles.append(
                    Rectangle(
                        parent: -1, x: number % columns * 12, y: number / columns * 12, width: 10, height: 10,
                        degrees: kind == .transformed ? 30 : 0))
            }
        case .nested:
            width = 4096
            height = 4096
            rectangles.append(Rectangle(parent: -1, x: 0, y: 0, width: 4096, height: 4096))
            for number in 1..<count {
                let (parent, quarter) = ((number - 1) / 4, (number - 1) % 4)
                let side = rectangles[parent].width / 2
                rectangles.append(
                    Rectangle(parent: parent, x: quarter % 2 * side, y: quarter / 2 * side, width: side, height: side))
            }
        case .overlapping:
            width = 4096
            height = 4096
            for _ in 0..<count {
                let (width, height) = (50 + random.below(200), 50 + random.below(200))
                rectangles.append(
                    Rectangle(
                        parent: -1, x: random.below(4096 - width), y: random.below(4096 - height), width: width,
                        height: height))
            }
        }
        for _ in 0..<4096 { points.append((random.below(width), random.below(height))) }
    }

    /// The text that scene.h reads.
    public var file: String {
        var lines = ["\(kind) \(width) \(height) \(rectangles.count) \(points.count)"]
        for rectangle in rectangles {
            lines.append(
                "\(rectangle.parent) \(rectangle.x) \(rectangle.y) \(rectangle.width) \(rectangle.height) \(rectangle.degrees)"
            )
        }
        for point in points { lines.append("\(point.x) \(point.y)") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The views, and those by their numbers.
    public func views() -> (root: View, views: [View]) {
        let root = View(frame: CGRect(x: 0, y: 0, width: width, height: height))
        var views: [View] = []
        for (number, rectangle) in rectangles.enumerated() {
            let view = View(
                frame: CGRect(x: rectangle.x, y: rectangle.y, width: rectangle.width, height: rectangle.height))
            view.tag = number
            if rectangle.degrees != 0 {
                view.transform = CGAffineTransform(rotationAngle: CGFloat(rectangle.degrees) * .pi / 180)
            }
            (rectangle.parent < 0 ? root : views[rectangle.parent]).addSubview(view)
            views.append(view)
        }
        return (root, views)
    }
}

/// Numbers that are the same in every run (xorshift).
struct Random {
    var state: UInt64

    mutating func below(_ limit: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state % UInt64(limit))
    }
}
