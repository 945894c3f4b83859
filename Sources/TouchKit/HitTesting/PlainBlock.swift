/// A growing list of plain values in memory of its own.
///
/// A search of an index reads four lists; those of the standard library are counted references, and counting them up and
/// down took longer than the rest of a search. Indices are checked.
nonisolated struct PlainBlock<Element>: ~Copyable {
    private var base: UnsafeMutablePointer<Element>
    private(set) var count = 0
    private var capacity: Int

    /// Makes an empty list.
    init() {
        base = .allocate(capacity: 1)
        capacity = 1
    }

    deinit {
        base.deinitialize(count: count)
        base.deallocate()
    }

    subscript(_ index: Int) -> Element {
        @inline(__always) get {
            precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "no such place")
            return base[index]
        }
        @inline(__always) _modify {
            precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "no such place")
            yield &base[index]
        }
    }

    /// The first place in a range whose value is one that is looked for.
    @inline(__always)
    func firstIndex(in range: Range<Int>, where isWanted: (Element) -> Bool) -> Int? {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "no such places")
        var place = range.lowerBound
        while place < range.upperBound {
            if isWanted(base[place]) { return place }
            place += 1
        }
        return nil
    }

    /// The indices.
    var indices: Range<Int> { 0..<count }

    /// Adds a value at the end; room grows by a quarter, since an index is large where it matters.
    mutating func append(_ element: Element) {
        if count == capacity { reserve(count + count / 4 + 16) }
        (base + count).initialize(to: element)
        count += 1
    }

    /// Adds a value at the end so many times.
    mutating func append(_ element: Element, times: Int) {
        if count + times > capacity { reserve(max(count + times, count + count / 4)) }
        (base + count).initialize(repeating: element, count: times)
        count += times
    }

    /// Makes room for so many values, and gives back what is not needed for them.
    mutating func reserve(_ room: Int) {
        let room = max(room, count, 1)
        guard room != capacity else { return }
        let moved = UnsafeMutablePointer<Element>.allocate(capacity: room)
        moved.moveInitialize(from: base, count: count)
        base.deallocate()
        base = moved
        capacity = room
    }

    /// Copies values over others of the list; the places may overlap.
    mutating func move(_ source: Int, to target: Int, count moved: Int) {
        guard moved > 0 else { return }
        precondition(min(source, target) >= 0 && max(source, target) + moved <= count, "no such places")
        (base + target).update(from: base + source, count: moved)
    }

    /// Forgets the values; their room is kept.
    mutating func removeAll() {
        base.deinitialize(count: count)
        count = 0
    }
}
