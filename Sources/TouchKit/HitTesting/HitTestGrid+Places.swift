import Foundation

/// Where things are in grids: levels, the places in their cells, and the parts of cells that entries cover.
extension HitTestGrid {
    /// One grid: cells of a power of two of points.
    struct Level {
        /// Where in a place's number that of its cell begins.
        let shift: Int32
        /// The first column and row.
        let left: Int32
        let top: Int32
        let columns: Int32
        let rows: Int32
        /// Where its cells begin.
        let first: Int32
        /// How many entries it has, and may have.
        var population: Int32 = 0
        var limit: Int32
        /// How many entries were put beyond its edges.
        var strays: Int32 = 0
        /// Rises with every change of the levels after it.
        var changes: UInt32 = 1

        /// The cell of a place, that of the edge for one beyond it, and where in the cell it is.
        ///
        /// A greater coordinate never gives a smaller answer, so that an entry is found wherever it is.
        @inline(__always)
        func spot(x: Int32, y: Int32) -> Spot {
            let (column, row) = (column(of: x), row(of: y))
            return Spot(
                cell: Int(first) + Int(row) * Int(columns) + Int(column),
                part: Part(x: part(of: x, in: column + left), y: part(of: y, in: row + top)))
        }

        /// The cell that all of a rectangle is in, and as its part one that is held by what covers any of it.
        func spot(around corners: Corners) -> Spot {
            let (column, row) = (column(of: corners.left), row(of: corners.top))
            return Spot(
                cell: Int(first) + Int(row) * Int(columns) + Int(column),
                part: Part(
                    reachingLeft: part(of: corners.left, in: column + left), top: part(of: corners.top, in: row + top),
                    right: part(of: corners.right, in: column + left),
                    bottom: part(of: corners.bottom, in: row + top)))
        }

        @inline(__always)
        func column(of x: Int32) -> Int32 { max(0, min(columns - 1, (x >> shift) - left)) }

        @inline(__always)
        func row(of y: Int32) -> Int32 { max(0, min(rows - 1, (y >> shift) - top)) }

        var hasManyCells: Bool { columns > 1 || rows > 1 }

        /// Where a coordinate is in a cell: at its edge for one beyond it.
        @inline(__always)
        func part(of coordinate: Int32, in cell: Int32) -> UInt32 {
            let beyond = (coordinate >> shift) - cell
            if beyond == 0 { return UInt32(truncatingIfNeeded: coordinate >> (shift - 7)) & 127 }
            return beyond < 0 ? 0 : 127
        }
    }

    /// The cells of an area, and the part of each that it covers.
    struct Cover {
        let level: Level
        let left: Int32
        let top: Int32
        let right: Int32
        let bottom: Int32

        init(of area: HitTestArea, on level: Level) {
            self.level = level
            left = HitTestGrid.fixed(Double(area.left))
            top = HitTestGrid.fixed(Double(area.top))
            // The last place before the edge, which does not belong to it.
            right = max(left, -HitTestGrid.fixed(-Double(area.right)) - 1)
            bottom = max(top, -HitTestGrid.fixed(-Double(area.bottom)) - 1)
        }

        @inline(__always)
        func forEach(_ body: (_ cell: Int, _ part: Part) -> Void) {
            let columns = level.column(of: left)...level.column(of: right)
            for row in level.row(of: top)...level.row(of: bottom) {
                let parts = (
                    top: level.part(of: top, in: row + level.top), bottom: level.part(of: bottom, in: row + level.top)
                )
                for column in columns {
                    let part = Part(
                        left: level.part(of: left, in: column + level.left), top: parts.top,
                        right: level.part(of: right, in: column + level.left), bottom: parts.bottom)
                    body(Int(level.first) + Int(row) * Int(level.columns) + Int(column), part)
                }
            }
        }

        /// Whether another of the same level is in these cells, and strays as it does.
        func isInSameCells(as other: Cover) -> Bool {
            level.column(of: left) == level.column(of: other.left) && level.row(of: top) == level.row(of: other.top)
                && level.column(of: right) == level.column(of: other.right)
                && level.row(of: bottom) == level.row(of: other.bottom) && strays == other.strays
        }

        /// Whether it begins beyond the edges of its level.
        var strays: Bool {
            left >> level.shift < level.left - 1 || left >> level.shift > level.left + level.columns
                || top >> level.shift < level.top - 1 || top >> level.shift > level.top + level.rows
        }
    }

    /// The first and the last places of a rectangle.
    struct Corners {
        let left: Int32
        let top: Int32
        let right: Int32
        let bottom: Int32
    }

    /// A place in a grid.
    struct Spot {
        let cell: Int
        let part: Part
    }

    /// A place in a cell or a rectangle of one, in 128ths, in the bytes of a word: x, y, and how far these are from the end.
    struct Part {
        private let bytes: UInt32
        private static let highBits: UInt32 = 0x8080_8080

        init(x: UInt32, y: UInt32) { bytes = x | y << 8 | (127 - x) << 16 | (127 - y) << 24 }

        init(left: UInt32, top: UInt32, right: UInt32, bottom: UInt32) {
            bytes = left | top << 8 | (127 - right) << 16 | (127 - bottom) << 24
        }

        /// Stands for a rectangle where a place is expected: what holds it is every rectangle that meets this one.
        init(reachingLeft left: UInt32, top: UInt32, right: UInt32, bottom: UInt32) {
            bytes = right | bottom << 8 | (127 - left) << 16 | (127 - top) << 24
        }

        /// Whether a place is in a rectangle: none of its four bytes is less, which one subtraction tells of all.
        @inline(__always)
        func holds(_ place: Part) -> Bool {
            ((place.bytes | Self.highBits) &- bytes) & Self.highBits == Self.highBits
        }
    }
}
