import Foundation

/// Finds one of many rectangles that covers a given rectangle.
///
/// Each rectangle is stored in a grid whose cells are about its size, in at most four cells. A search looks in one cell
/// of each grid: the cell that contains the center of the given rectangle.
nonisolated struct CoverSearch {
    private struct Square: Hashable {
        var level: Int8
        var x, y: Int32
    }

    /// The last entry of each cell; each entry refers to the previous one.
    private var squares: [Square: Int32] = [:]
    private var entries: [(cover: Int32, next: Int32)] = []
    private var covers: [(frame: CGRect, number: Int32)] = []
    private var levels: Set<Int8> = []

    /// Adds a rectangle with a number.
    mutating func add(_ frame: CGRect, _ number: Int) {
        guard !frame.isEmpty, max(abs(frame.minX), abs(frame.minY), abs(frame.maxX), abs(frame.maxY)) < 1e7 else {
            return
        }
        let level = Int8(max(0, ceil(log2(max(frame.width, frame.height, 1)))))
        levels.insert(level)
        let (first, last) = (
            square(level, CGPoint(x: frame.minX, y: frame.minY)), square(level, CGPoint(x: frame.maxX, y: frame.maxY))
        )
        for x in first.x...last.x {
            for y in first.y...last.y {
                let square = Square(level: level, x: x, y: y)
                entries.append((Int32(covers.count), squares[square] ?? -1))
                squares[square] = Int32(entries.count - 1)
            }
        }
        covers.append((frame, Int32(number)))
    }

    /// The number of a rectangle that covers `frame`.
    ///
    /// - Parameter effort: The steps left for all searches of a layout. With none left the result is nil, because it is
    ///   only for a warning.
    func cover(of frame: CGRect, effort: inout Int) -> Int? {
        guard max(abs(frame.midX), abs(frame.midY)) < 1e7 else { return nil }
        for level in levels {
            var entry = squares[square(level, CGPoint(x: frame.midX, y: frame.midY))] ?? -1
            while entry >= 0 {
                guard effort > 0 else { return nil }
                effort -= 1
                let (cover, next) = entries[Int(entry)]
                if covers[Int(cover)].frame.contains(frame) { return Int(covers[Int(cover)].number) }
                entry = next
            }
        }
        return nil
    }

    private func square(_ level: Int8, _ point: CGPoint) -> Square {
        let size = CGFloat(sign: .plus, exponent: Int(level), significand: 1)
        return Square(
            level: level, x: Int32((point.x / size).rounded(.down)), y: Int32((point.y / size).rounded(.down)))
    }
}
