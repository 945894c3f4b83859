import Foundation

/// Grids of cells, one over the other, each for entries of about one size: an entry is in at most four cells.
///
/// A cell's list has the front-most entry first, and for each the part of the cell that it covers, in 128ths of the
/// cell, so that a search looks at an entry only where the point is in it or next to it.
struct HitTestGrid: ~Copyable {
    private(set) var levels = PlainBlock<Level>()
    private(set) var cells = PlainBlock<Cell>()
    private(set) var items = PlainBlock<Item>()
    /// Which level entries of a size class are in; -1 for none.
    private var levelOfClass = [Int8](repeating: -1, count: Self.classCount)
    /// What is known of the later levels in a cell; of none at first.
    private var limits = PlainBlock<Limit>()
    /// Whether it is worth while to know them, for what they take: eight bytes a cell.
    private(set) var keepsLimits = false
    /// The starts of blocks of items that are free, by the size class of the block.
    private var freeBlocks: [[UInt32]] = []
    /// Where the levels that are made later are laid out.
    private var box = HitTestArea(left: 0, top: 0, right: 1, bottom: 1)
    /// Whether so much was added or moved that the grids no longer fit.
    private(set) var isOutgrown = false

    /// Sizes double from class to class; the last has a single cell.
    private static let classCount = 16

    /// A coordinate in 128ths of points, of which a cell's number is the upper bits; far ones are brought near.
    @inline(__always)
    static func fixed(_ coordinate: Double) -> Int32 {
        let far = 2 * HitTestArea.farthest
        let near = coordinate > -far ? (coordinate < far ? coordinate : far - 1) : -far
        return Int32((near * 128).rounded(.down))
    }

    /// The items of a cell; the block they are in is as large as `BlockSize` says for their number.
    struct Cell {
        var start: UInt32 = 0
        var count: UInt32 = 0
    }

    /// An entry in a cell and the part of the cell that it covers.
    struct Item {
        var part: Part
        var entry: Int32

        static let none = Item(part: Part(x: 0, y: 0), entry: -1)
    }

    /// The first item of a cell, from a place on, that covers a part of it.
    @inline(__always)
    func item(in range: Range<Int>, holding part: Part) -> Int? {
        items.firstIndex(in: range) { $0.part.holds(part) }
    }

    // MARK: What later levels have in a cell

    /// The greatest label of what the levels after a cell's own have in it, and the changes of these it was found after.
    struct Limit {
        var label: UInt32 = 0
        var changes: UInt32 = 0
    }

    /// What is kept of a cell, if it still holds.
    @inline(__always)
    func knownLimit(of cell: Int, on level: Int) -> UInt32? {
        guard cell < limits.count, limits[cell].changes == levels[level].changes else { return nil }
        return limits[cell].label
    }

    mutating func keepLimit(_ label: UInt32, of cell: Int, on level: Int) {
        if limits.count < cells.count {
            limits.reserve(cells.count)
            limits.append(Limit(), times: cells.count - limits.count)
        }
        limits[cell] = Limit(label: label, changes: levels[level].changes)
    }

    /// Forgets all that is kept, as labels changed.
    mutating func forgetLimits() { noteChange(before: levels.count) }

    private mutating func noteChange(before level: Int) {
        for number in 0..<level {
            levels[number].changes &+= 1
            // Before the count comes to where it was, everything is made anew.
            if levels[number].changes == .max { isOutgrown = true }
        }
    }

    /// What a cell covers; nil for one at the edge of its level, as that also has what lies beyond, and where a later level
    /// has smaller cells.
    func corners(of cell: Int, on number: Int) -> Corners? {
        let level = levels[number]
        let (row, column) = (cell - Int(level.first)).quotientAndRemainder(dividingBy: Int(level.columns))
        guard column > 0, row > 0, column < Int(level.columns) - 1, row < Int(level.rows) - 1 else { return nil }
        for later in number + 1..<levels.count where levels[later].shift < level.shift && levels[later].hasManyCells {
            return nil
        }
        let (left, top) = ((level.left + Int32(column)) << level.shift, (level.top + Int32(row)) << level.shift)
        return Corners(left: left, top: top, right: left + (1 << level.shift) - 1, bottom: top + (1 << level.shift) - 1)
    }

    // MARK: Laying out

    /// Makes grids for areas and puts them in, each in a block that is large enough.
    /// - Parameter placed: the front-most first.
    init(of placed: [Placement]) {
        layOut(for: placed)
        fill(with: placed)
        keepsLimits = levels.count > 1 && cells.count <= placed.count
    }

    /// Makes grids without cells.
    init() {}

    /// An entry and where it belongs.
    struct Placement {
        let entry: Int32
        let area: HitTestArea
    }

    private mutating func layOut(for placed: [Placement]) {
        var isLaidOut = false
        var counts = [Int](repeating: 0, count: Self.classCount)
        var boxes = [HitTestArea?](repeating: nil, count: Self.classCount)
        for placement in placed {
            let size = Self.sizeClass(of: placement.area)
            counts[size] += 1
            boxes[size] = boxes[size]?.union(placement.area) ?? placement.area
        }
        for box in boxes.dropLast() {
            if let box { self.box = isLaidOut ? self.box.union(box) : box }
            isLaidOut = isLaidOut || box != nil
        }
        for size in 0..<Self.classCount where counts[size] > 0 {
            addLevel(size, over: boxes[size] ?? box, for: counts[size])
        }
    }

    private mutating func addLevel(_ size: Int, over box: HitTestArea, for count: Int) {
        // Fewer cells than half the entries: emptier ones would only take room. The last class has one.
        let most = size < Self.classCount - 1 ? count / 2 + 4 : 1
        let (left, right) = (Self.fixed(Double(box.left)), Self.fixed(Double(box.right)))
        let (top, bottom) = (Self.fixed(Double(box.top)), Self.fixed(Double(box.bottom)))
        var shift = Int32(size + 7)
        while shift < 30,
            (Int(right >> shift) - Int(left >> shift) + 1) * (Int(bottom >> shift) - Int(top >> shift) + 1) > most
        {
            shift += 1
        }
        let isOne = most == 1
        let (columns, rows) = ((right >> shift) - (left >> shift) + 1, (bottom >> shift) - (top >> shift) + 1)
        levelOfClass[size] = Int8(levels.count)
        noteChange(before: levels.count)
        levels.append(
            Level(
                shift: shift, left: left >> shift, top: top >> shift, columns: isOne ? 1 : columns,
                rows: isOne ? 1 : rows, first: Int32(cells.count), limit: Int32(2 * count + 16)))
        cells.append(Cell(), times: isOne ? 1 : Int(columns) * Int(rows))
    }

    /// The class of areas whose sides are at most half as long as a cell's.
    private static func sizeClass(of area: HitTestArea) -> Int {
        let side = max(area.width, area.height)
        guard side > 0.25 else { return 0 }
        guard side < Double(1 << (classCount - 3)) else { return classCount - 1 }
        return max(0, Int(side.exponent) + (side.significand == 1 ? 1 : 2))
    }

    // MARK: Placing

    /// The level for an area; laid out now if there was none.
    mutating func level(for area: HitTestArea) -> UInt8 {
        let size = Self.sizeClass(of: area)
        if levelOfClass[size] < 0 { addLevel(size, over: box, for: 60) }
        return UInt8(levelOfClass[size])
    }

    private mutating func fill(with placed: [Placement]) {
        cells.reserve(cells.count)
        for placement in placed {
            let level = Int(level(for: placement.area))
            levels[level].population += 1
            Cover(of: placement.area, on: levels[level]).forEach { cell, _ in cells[cell].count += 1 }
        }
        var room: UInt32 = 0
        for cell in cells.indices {
            cells[cell].start = room
            room += BlockSize(for: cells[cell].count).capacity
            cells[cell].count = 0
        }
        items.reserve(Int(room))
        items.append(.none, times: Int(room))
        for placement in placed {
            Cover(of: placement.area, on: levels[Int(level(for: placement.area))]).forEach { cell, part in
                items[Int(cells[cell].start + cells[cell].count)] = Item(part: part, entry: placement.entry)
                cells[cell].count += 1
            }
        }
    }

    /// Puts an entry into the cells of its area, where `isInFront` says it belongs.
    mutating func insert(_ entry: Int32, _ area: HitTestArea, level: UInt8, isInFront: (Int32) -> Bool) {
        let grid = levels[Int(level)]
        levels[Int(level)].population += 1
        noteChange(before: Int(level))
        let cover = Cover(of: area, on: grid)
        if cover.strays { levels[Int(level)].strays += 1 }
        if grid.population >= grid.limit || grid.strays > 32 + grid.population / 4 { isOutgrown = true }
        cover.forEach { cell, part in
            insert(Item(part: part, entry: entry), into: cell, at: place(in: cells[cell], isInFront))
        }
    }

    /// Has an entry cover another area, if that is in the same cells; answers whether it is.
    ///
    /// Most views that move go less far than a cell is wide, and keep their places in its list.
    mutating func shift(_ old: HitTestArea, to new: HitTestArea, level: UInt8, isInFront: (Int32) -> Bool) -> Bool {
        guard levelOfClass[Self.sizeClass(of: new)] == Int8(level) else { return false }
        let grid = levels[Int(level)]
        let cover = Cover(of: new, on: grid)
        guard cover.isInSameCells(as: Cover(of: old, on: grid)) else { return false }
        noteChange(before: Int(level))
        cover.forEach { cell, part in
            items[Int(cells[cell].start + place(in: cells[cell], isInFront))].part = part
        }
        return true
    }

    /// Takes the first entry that is not in front out of the cells of its area.
    mutating func remove(_ area: HitTestArea, level: UInt8, isInFront: (Int32) -> Bool) {
        let grid = levels[Int(level)]
        levels[Int(level)].population -= 1
        noteChange(before: Int(level))
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
        let (front, behind) = (Int(place), Int(cell.count - place))
        let start = Int(cell.start)
        if old == new {
            items.move(start + front, to: start + front + 1, count: behind)
            items[start + front] = item
        } else {
            let moved = Int(takeBlock(new))
            items.move(start, to: moved, count: front)
            items.move(start + front, to: moved + front + 1, count: behind)
            items[moved + front] = item
            giveBack(cell.start, old)
            cells[index].start = UInt32(moved)
        }
        cells[index].count += 1
    }

    private mutating func removeItem(from index: Int, at place: UInt32) {
        let cell = cells[index]
        let (old, new) = (BlockSize(for: cell.count), BlockSize(for: cell.count - 1))
        let (front, behind) = (Int(place), Int(cell.count - place) - 1)
        let start = Int(cell.start)
        var moved = start
        if old != new {
            moved = Int(takeBlock(new))
            items.move(start, to: moved, count: front)
        }
        items.move(start + front + 1, to: moved + front, count: behind)
        if old != new { giveBack(cell.start, old) }
        cells[index] = Cell(start: UInt32(moved), count: cell.count - 1)
    }

    // MARK: Blocks of items

    private mutating func takeBlock(_ size: BlockSize) -> UInt32 {
        guard size.capacity > 0 else { return 0 }
        if size.number < freeBlocks.count, let start = freeBlocks[size.number].popLast() { return start }
        let start = UInt32(items.count)
        items.append(.none, times: Int(size.capacity))
        return start
    }

    private mutating func giveBack(_ start: UInt32, _ size: BlockSize) {
        guard size.capacity > 0 else { return }
        while freeBlocks.count <= size.number { freeBlocks.append([]) }
        freeBlocks[size.number].append(start)
    }
}
