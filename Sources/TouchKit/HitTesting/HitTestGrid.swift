import Foundation

/// Grids of cells, one over the other, each for entries of about one size: an entry is in at most four cells.
///
/// A cell's list has the front-most entry first, and for each the part of the cell that it covers, in 256ths of the
/// cell, so that a search looks at an entry only where the point is in it or next to it.
struct HitTestGrid {
    private(set) var levels: [Level] = []
    private(set) var cells: [Cell] = []
    private(set) var items: [Item] = []
    /// Which level entries of a size class are in; -1 for none.
    private var levelOfClass = [Int8](repeating: -1, count: Self.classCount)
    /// The starts of blocks of items that are free, by the size class of the block.
    private var freeBlocks: [[UInt32]] = []
    /// Where the levels that are made later are laid out.
    private var box = HitTestArea(left: 0, top: 0, right: 1, bottom: 1)
    /// Whether so much was added or moved that the grids no longer fit.
    private(set) var isOutgrown = false

    /// Sizes double from class to class; the last has a single cell.
    private static let classCount = 16

    /// One grid.
    struct Level {
        let x: Double
        let y: Double
        /// Cells a point.
        let scale: Double
        let columns: Int32
        let rows: Int32
        /// Where its cells begin.
        let first: Int32
        /// How many entries it has, and may have.
        var population: Int32 = 0
        var limit: Int32
        /// How many entries were put beyond its edges.
        var strays: Int32 = 0

        /// The cell of a place, that of the edge for one beyond it, and where in the cell it is.
        ///
        /// A greater coordinate never gives a smaller answer, so that rounding does no harm.
        @inline(__always)
        func spot(x: Double, y: Double) -> Spot {
            let (column, partX) = Self.split((x - self.x) * scale, columns)
            let (row, partY) = Self.split((y - self.y) * scale, rows)
            return Spot(cell: Int(first) + Int(row) * Int(columns) + Int(column), x: partX, y: partY)
        }

        @inline(__always)
        static func split(_ place: Double, _ count: Int32) -> (cell: Int32, part: UInt8) {
            let cell: Int32 = place >= 1 ? (place < Double(count) ? Int32(place) : count - 1) : 0
            return (cell, part(of: place, in: cell))
        }

        @inline(__always)
        static func part(of place: Double, in cell: Int32) -> UInt8 {
            let part = (place - Double(cell)) * 256
            return part >= 1 ? (part < 256 ? UInt8(part) : 255) : 0
        }
    }

    /// A place in a grid.
    struct Spot {
        let cell: Int
        let x: UInt8
        let y: UInt8
    }

    /// The items of a cell; the block they are in is as large as `BlockSize` says for their number.
    struct Cell {
        var start: UInt32 = 0
        var count: UInt32 = 0
    }

    /// An entry in a cell and the part of the cell that it covers.
    struct Item {
        var left: UInt8
        var top: UInt8
        var right: UInt8
        var bottom: UInt8
        var entry: Int32

        @inline(__always)
        func holds(_ spot: Spot) -> Bool { spot.x >= left && spot.x <= right && spot.y >= top && spot.y <= bottom }
    }

    // MARK: Laying out

    /// Lays out grids for areas, of which none is in them yet.
    mutating func layOut(for areas: some Sequence<HitTestArea>) {
        var counts = [Int](repeating: 0, count: Self.classCount)
        var boxes = [HitTestArea?](repeating: nil, count: Self.classCount)
        for area in areas {
            let size = Self.sizeClass(of: area)
            counts[size] += 1
            boxes[size] = boxes[size]?.union(area) ?? area
        }
        self = HitTestGrid()
        if let box = boxes.dropLast().compactMap(\.self).reduce(nil, { $0?.union($1) ?? $1 }) { self.box = box }
        for size in 0..<Self.classCount where counts[size] > 0 {
            addLevel(size, over: boxes[size] ?? box, for: counts[size])
        }
    }

    private mutating func addLevel(_ size: Int, over box: HitTestArea, for count: Int) {
        // Fewer cells than half the entries: emptier ones would only take room.
        let most = Double(count / 2 + 4)
        var side = Double(1 << size)
        var (columns, rows) = (1.0, 1.0)
        if size < Self.classCount - 1 {
            columns = max(1, (box.width / side).rounded(.up))
            rows = max(1, (box.height / side).rounded(.up))
            while columns * rows > most {
                side *= 2
                columns = max(1, (box.width / side).rounded(.up))
                rows = max(1, (box.height / side).rounded(.up))
            }
        }
        levelOfClass[size] = Int8(levels.count)
        levels.append(
            Level(
                x: Double(box.left), y: Double(box.top), scale: 1 / side, columns: Int32(columns), rows: Int32(rows),
                first: Int32(cells.count), limit: Int32(2 * count + 16)))
        cells.append(contentsOf: repeatElement(Cell(), count: Int(columns * rows)))
    }

    /// The class of areas whose sides are at most half as long as a cell's.
    private static func sizeClass(of area: HitTestArea) -> Int {
        let side = max(area.width, area.height)
        guard side > 0.25 else { return 0 }
        guard side < Double(1 << (classCount - 3)) else { return classCount - 1 }
        return max(0, Int(side.exponent) + 2)
    }

    // MARK: Placing

    /// The level for an area; laid out now if there was none.
    mutating func level(for area: HitTestArea) -> UInt8 {
        let size = Self.sizeClass(of: area)
        if levelOfClass[size] < 0 { addLevel(size, over: box, for: 60) }
        return UInt8(levelOfClass[size])
    }

    /// The cells of an area, and the part of each that it covers.
    private struct Cover {
        let level: Level
        let left: Double
        let top: Double
        let right: Double
        let bottom: Double

        init(of area: HitTestArea, on level: Level) {
            self.level = level
            left = (Double(area.left) - HitTestArea.margin - level.x) * level.scale
            top = (Double(area.top) - HitTestArea.margin - level.y) * level.scale
            right = (Double(area.right) - level.x) * level.scale
            bottom = (Double(area.bottom) - level.y) * level.scale
        }

        @inline(__always)
        func forEach(_ body: (_ cell: Int, _ item: Item) -> Void) {
            let columns = Level.split(left, level.columns).cell...Level.split(right, level.columns).cell
            for row in Level.split(top, level.rows).cell...Level.split(bottom, level.rows).cell {
                for column in columns {
                    let item = Item(
                        left: Level.part(of: left, in: column), top: Level.part(of: top, in: row),
                        right: Level.part(of: right, in: column), bottom: Level.part(of: bottom, in: row), entry: -1)
                    body(Int(level.first) + Int(row) * Int(level.columns) + Int(column), item)
                }
            }
        }
    }

    /// Puts entries in at once, into cells that are empty, so that no block is made larger twice.
    /// - Parameter entries: the placed ones, the front-most first.
    mutating func fill(with entries: some Sequence<(entry: Int32, area: HitTestArea, level: UInt8)>) {
        var counts = [UInt32](repeating: 0, count: cells.count)
        for (_, area, level) in entries {
            levels[Int(level)].population += 1
            Cover(of: area, on: levels[Int(level)]).forEach { cell, _ in counts[cell] += 1 }
        }
        var room: UInt32 = 0
        for cell in cells.indices where counts[cell] > 0 {
            cells[cell].start = room
            room += BlockSize(for: counts[cell]).capacity
        }
        items = [Item](repeating: Item(left: 0, top: 0, right: 0, bottom: 0, entry: -1), count: Int(room))
        for (entry, area, level) in entries {
            Cover(of: area, on: levels[Int(level)]).forEach { cell, item in
                items[Int(cells[cell].start + cells[cell].count)] = item.with(entry)
                cells[cell].count += 1
            }
        }
    }

    /// Puts an entry into the cells of its area, where `isInFront` says it belongs.
    mutating func insert(_ entry: Int32, _ area: HitTestArea, level: UInt8, isInFront: (Int32) -> Bool) {
        let grid = levels[Int(level)]
        levels[Int(level)].population += 1
        let (x, y) = ((Double(area.left) - grid.x) * grid.scale, (Double(area.top) - grid.y) * grid.scale)
        if x < -1 || y < -1 || x > Double(grid.columns) || y > Double(grid.rows) { levels[Int(level)].strays += 1 }
        if grid.population >= grid.limit || grid.strays > 32 + grid.population / 4 { isOutgrown = true }
        Cover(of: area, on: grid).forEach { cell, item in
            insert(item.with(entry), into: cell, at: place(in: cells[cell], isInFront))
        }
    }

    /// Takes the first entry that is not in front out of the cells of its area.
    mutating func remove(_ area: HitTestArea, level: UInt8, isInFront: (Int32) -> Bool) {
        let grid = levels[Int(level)]
        levels[Int(level)].population -= 1
        Cover(of: area, on: grid).forEach { cell, _ in
            removeItem(from: cell, at: place(in: cells[cell], isInFront))
        }
    }

    /// The first place of a cell whose entry is not in front.
    private func place(in cell: Cell, _ isInFront: (Int32) -> Bool) -> UInt32 {
        var (low, high) = (UInt32(0), cell.count)
        while low < high {
            let middle = (low + high) / 2
            if isInFront(items[Int(cell.start + middle)].entry) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private mutating func insert(_ item: Item, into index: Int, at place: UInt32) {
        let cell = cells[index]
        let (old, new) = (BlockSize(for: cell.count), BlockSize(for: cell.count + 1))
        if old == new {
            var at = Int(cell.start + cell.count)
            while at > Int(cell.start + place) {
                items[at] = items[at - 1]
                at -= 1
            }
            items[at] = item
        } else {
            let start = takeBlock(new)
            for offset in 0..<place { items[Int(start + offset)] = items[Int(cell.start + offset)] }
            for offset in place..<cell.count { items[Int(start + offset + 1)] = items[Int(cell.start + offset)] }
            items[Int(start + place)] = item
            giveBack(cell.start, old)
            cells[index].start = start
        }
        cells[index].count += 1
    }

    private mutating func removeItem(from index: Int, at place: UInt32) {
        let cell = cells[index]
        let (old, new) = (BlockSize(for: cell.count), BlockSize(for: cell.count - 1))
        var start = cell.start
        if old != new {
            start = takeBlock(new)
            for offset in 0..<place { items[Int(start + offset)] = items[Int(cell.start + offset)] }
        }
        for offset in place..<(cell.count - 1) {
            items[Int(start + offset)] = items[Int(cell.start + offset + 1)]
        }
        if old != new { giveBack(cell.start, old) }
        cells[index] = Cell(start: start, count: cell.count - 1)
    }

    // MARK: Blocks of items

    private mutating func takeBlock(_ size: BlockSize) -> UInt32 {
        guard size.capacity > 0 else { return 0 }
        if size.number < freeBlocks.count, let start = freeBlocks[size.number].popLast() { return start }
        let start = UInt32(items.count)
        let empty = Item(left: 0, top: 0, right: 0, bottom: 0, entry: -1)
        items.append(contentsOf: repeatElement(empty, count: Int(size.capacity)))
        return start
    }

    private mutating func giveBack(_ start: UInt32, _ size: BlockSize) {
        guard size.capacity > 0 else { return }
        while freeBlocks.count <= size.number { freeBlocks.append([]) }
        freeBlocks[size.number].append(start)
    }
}

/// How large the block for a number of items is: four sizes between one power of two and the next.
private struct BlockSize: Equatable {
    let number: Int
    let capacity: UInt32

    init(for count: UInt32) {
        guard count > 4 else {
            number = count == 0 ? 0 : 1
            capacity = count == 0 ? 0 : 4
            return
        }
        let bits = 31 - (count - 1).leadingZeroBitCount
        let quarter = (count - 1) >> UInt32(bits - 2) & 3
        number = 2 + (bits - 2) * 4 + Int(quarter)
        capacity = (quarter + 5) << UInt32(bits - 2)
    }
}

extension HitTestGrid.Item {
    fileprivate func with(_ entry: Int32) -> Self {
        var item = self
        item.entry = entry
        return item
    }
}
