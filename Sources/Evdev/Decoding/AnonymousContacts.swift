/// Assigns slots to the anonymous contacts of protocol A, and tracking ids if the device sends none.
///
/// A report of protocol A lists all contacts. A contact with a tracking id is the contact with this id in the previous
/// report. Contacts without an id are matched with those of the previous report so that the sum of squared distances is
/// minimal ("Finger Tracking" in the kernel's documentation). Once warm, a report allocates nothing.
struct AnonymousContacts: Sendable {
    /// A contact of the current report and its assigned slot.
    struct Listed {
        var axes = ContactAxes()
        /// The device's tracking id, or one counted from 0.
        var trackingID: Int32 = -1
        var slot = -1
        /// The axes in the report, a bit for each code from `ABS_MT_TOUCH_MAJOR` on.
        fileprivate var given: UInt16 = 0
        /// Whether its area was above 0 in this report or in one before.
        fileprivate var hadArea = false

        fileprivate func has(_ code: UInt16) -> Bool { given & 1 << (code - AbsCode.touchMajor) != 0 }
    }

    /// A contact of the previous report.
    private struct Known {
        var trackingID: Int32
        var isCounted: Bool
        var slot: Int
        var x, y: Int32
        var hadArea: Bool
        /// Whether the current report contains it.
        var isListed = false
    }

    /// The contacts of the current report, in report order.
    private(set) var listed: [Listed] = []
    /// After `closeReport()`, the slots of the contacts that the current report no longer contains.
    private(set) var lifted: [Int] = []

    private var current = Listed()
    private var known: [Known] = []
    private var hasChanges = false
    private var isTaken: [Bool] = []
    private var lastID: Int32 = -1
    /// Whether any contact has had an area.
    private var hasAreas = false
    /// Whether the current report has the first contact with an area.
    private(set) var hasFirstArea = false
    /// The tracking ids that an area of 0 lifted: in the previous report, and in the current one. A driver may repeat
    /// such a contact.
    private var flat: (before: [Int32], now: [Int32]) = ([], [])
    private var unpaired: (listed: [Int], known: [Int]) = ([], [])
    private var matching = LeastSumMatching()
    let liftsAtZeroMajor: Bool

    /// Slots of protocol B are limited to 1023 too; a report with more contacts is a driver bug.
    private static let greatestCount = 1024

    /// - Parameter liftsAtZeroMajor: Whether `ABS_MT_TOUCH_MAJOR` 0 ends a contact without a tracking id, as with old
    ///   drivers and libmtdev; the kernel's documentation does not mention it. It always ends a contact with an id,
    ///   because the device identifies the contact and reports an empty contact area. Some drivers announce the axis and
    ///   always send 0, so it ends no contact that never had an area.
    init(liftsAtZeroMajor: Bool) { self.liftsAtZeroMajor = liftsAtZeroMajor }

    /// Processes an event of the report; returns false if it does not concern contacts.
    @inline(__always)
    mutating func feed(_ event: InputEvent) -> Bool {
        switch (event.type, event.code) {
        case (EventType.absolute, AbsCode.touchMajor...AbsCode.multitouchLast):
            if event.code == AbsCode.trackingID {
                current.trackingID = event.value
            } else {
                current.axes.set(event.code, to: event.value)
            }
            current.given |= 1 << (event.code - AbsCode.touchMajor)
        case (EventType.synchronization, SynCode.multitouchReport): closeContact()
        // "If the driver reports one of BTN_TOUCH or ABS_PRESSURE in addition to the ABS_MT events, the last
        // SYN_MT_REPORT event may be omitted": then a report without contacts has only these.
        case (EventType.key, KeyCode.touch): hasChanges = true
        case (EventType.absolute, AbsCode.pressure) where event.value == 0: hasChanges = true
        case (EventType.absolute, _): break
        case (EventType.key, let code): return KeyCode.tools.contains(code)
        default: return false
        }
        return true
    }

    /// Ends a contact; without both coordinates it is ignored.
    private mutating func closeContact() {
        hasChanges = true
        if current.axes.major > 0 {
            if !hasAreas { hasFirstArea = true }
            (current.hadArea, hasAreas) = (true, true)
        }
        let isLifted =
            current.has(AbsCode.trackingID)
            ? current.trackingID < 0 || hasZeroMajor && lostArea(current.trackingID)
            : liftsAtZeroMajor && hasAreas && hasZeroMajor
        if current.has(AbsCode.positionX), current.has(AbsCode.positionY), !isLifted,
            listed.count < Self.greatestCount
        {
            listed.append(current)
        }
        current = Listed()
    }

    private var hasZeroMajor: Bool { current.has(AbsCode.touchMajor) && current.axes.major == 0 }

    /// Whether the contact with a tracking id had an area until now; it is then remembered as lifted.
    private mutating func lostArea(_ id: Int32) -> Bool {
        let had =
            known.contains { $0.trackingID == id && !$0.isCounted && $0.hadArea } || flat.before.contains(id)
        if had { flat.now.append(id) }
        return had
    }

    /// Ends the report and assigns slots to its contacts; returns false if the report does not concern contacts.
    mutating func closeReport() -> Bool {
        // A contact without SYN_MT_REPORT is invalid. But several drivers lift all fingers with an area of 0 alone.
        if current.given == 1, hasZeroMajor { hasChanges = true }
        current = Listed()
        guard hasChanges else { return false }
        hasChanges = false
        swap(&flat.before, &flat.now)
        pairByID()
        pairByPosition()
        lifted.removeAll(keepingCapacity: true)
        for contact in known where !contact.isListed {
            lifted.append(contact.slot)
            isTaken[contact.slot] = false
        }
        known.removeAll(keepingCapacity: true)
        for index in listed.indices {
            let isCounted = !listed[index].has(AbsCode.trackingID)
            if listed[index].slot < 0 {
                listed[index].slot = allocateSlot()
                if isCounted { listed[index].trackingID = nextID() }
            }
            let contact = listed[index]
            known.append(
                Known(
                    trackingID: contact.trackingID, isCounted: isCounted, slot: contact.slot, x: contact.axes.x,
                    y: contact.axes.y, hadArea: contact.hadArea))
        }
        return true
    }

    /// Discards the report, after its contacts were read or because it is incomplete.
    mutating func discardReport() {
        listed.removeAll(keepingCapacity: true)
        flat.now.removeAll(keepingCapacity: true)
        current = Listed()
        hasChanges = false
        hasFirstArea = false
    }

    private mutating func pairByID() {
        for index in listed.indices where listed[index].has(AbsCode.trackingID) {
            let id = listed[index].trackingID
            for place in known.indices
            where known[place].trackingID == id && !known[place].isCounted && !known[place].isListed {
                known[place].isListed = true
                listed[index].slot = known[place].slot
                if known[place].hadArea { listed[index].hadArea = true }
                break
            }
        }
    }

    private mutating func pairByPosition() {
        unpaired.listed.removeAll(keepingCapacity: true)
        unpaired.known.removeAll(keepingCapacity: true)
        for index in listed.indices where !listed[index].has(AbsCode.trackingID) { unpaired.listed.append(index) }
        for index in known.indices where known[index].isCounted { unpaired.known.append(index) }
        guard !unpaired.listed.isEmpty, !unpaired.known.isEmpty else { return }
        if unpaired.listed.count == 1, unpaired.known.count == 1 { return pair(unpaired.listed[0], unpaired.known[0]) }
        matching.solve(unpaired.listed.count, unpaired.known.count) { row, column in
            let (new, old) = (listed[unpaired.listed[row]].axes, known[unpaired.known[column]])
            let (x, y) = (Double(new.x) - Double(old.x), Double(new.y) - Double(old.y))
            return x * x + y * y
        }
        for row in unpaired.listed.indices {
            if let column = matching.column(of: row) { pair(unpaired.listed[row], unpaired.known[column]) }
        }
    }

    private mutating func pair(_ index: Int, _ place: Int) {
        known[place].isListed = true
        listed[index].slot = known[place].slot
        listed[index].trackingID = known[place].trackingID
    }

    private mutating func allocateSlot() -> Int {
        if let free = isTaken.firstIndex(of: false) {
            isTaken[free] = true
            return free
        }
        isTaken.append(true)
        return isTaken.count - 1
    }

    private mutating func nextID() -> Int32 {
        lastID = lastID == .max ? 0 : lastID + 1
        return lastID
    }
}

/// Matches rows with columns so that the sum of the pairs' costs is minimal: the Hungarian method with potentials (H.
/// W. Kuhn, 1955). It takes about rows² × columns steps.
///
/// The arrays are reused from call to call.
struct LeastSumMatching: Sendable {
    private var columnOfRow: [Int] = []
    private var rowOfColumn: [Int] = []
    private var before: [Int] = []
    private var rowPotential: [Double] = []
    private var columnPotential: [Double] = []
    private var least: [Double] = []
    private var isVisited: [Bool] = []

    /// Above this number of rows or columns, each row gets the nearest free column, because the exact solution takes
    /// too long. No panel tracks more than 32 fingers.
    private static let greatestExact = 32

    /// The column matched with a row; nil if there were more rows than columns and this row was not matched.
    func column(of row: Int) -> Int? { columnOfRow[row] < 0 ? nil : columnOfRow[row] }

    /// Matches as many pairs as the smaller dimension allows.
    fileprivate mutating func solve(_ rows: Int, _ columns: Int, cost: (_ row: Int, _ column: Int) -> Double) {
        Self.fill(&columnOfRow, rows, with: -1)
        if max(rows, columns) > Self.greatestExact {
            solveNearest(rows, columns, cost)
        } else if rows <= columns {
            solveExactly(rows, columns, cost)
            for column in 1...columns where rowOfColumn[column] > 0 {
                columnOfRow[rowOfColumn[column] - 1] = column - 1
            }
        } else {
            solveExactly(columns, rows) { cost($1, $0) }
            for row in 1...rows where rowOfColumn[row] > 0 { columnOfRow[row - 1] = rowOfColumn[row] - 1 }
        }
    }

    private mutating func solveNearest(_ rows: Int, _ columns: Int, _ cost: (Int, Int) -> Double) {
        Self.fill(&isVisited, columns, with: false)
        for row in 0..<rows {
            var nearest = -1
            var distance = Double.infinity
            for column in 0..<columns where !isVisited[column] {
                let candidate = cost(row, column)
                if candidate < distance { (nearest, distance) = (column, candidate) }
            }
            guard nearest >= 0 else { return }
            isVisited[nearest] = true
            columnOfRow[row] = nearest
        }
    }

    /// Fills `rowOfColumn`. Rows and columns count from 1 in it, and 0 means an unmatched column. Requires rows <=
    /// columns.
    private mutating func solveExactly(_ rows: Int, _ columns: Int, _ cost: (Int, Int) -> Double) {
        Self.fill(&rowPotential, rows + 1, with: 0)
        Self.fill(&columnPotential, columns + 1, with: 0)
        Self.fill(&rowOfColumn, columns + 1, with: 0)
        Self.fill(&before, columns + 1, with: 0)
        for row in 1...rows {
            rowOfColumn[0] = row
            Self.fill(&least, columns + 1, with: .infinity)
            Self.fill(&isVisited, columns + 1, with: false)
            var column = 0
            repeat { column = step(from: column, columns, cost) } while rowOfColumn[column] != 0
            // Reassigns the rows of the columns on the augmenting path.
            while column != 0 {
                rowOfColumn[column] = rowOfColumn[before[column]]
                column = before[column]
            }
        }
    }

    /// Moves to the column with the lowest reduced cost.
    private mutating func step(from column: Int, _ columns: Int, _ cost: (Int, Int) -> Double) -> Int {
        isVisited[column] = true
        let row = rowOfColumn[column]
        var (next, change) = (0, Double.infinity)
        for candidate in 1...columns where !isVisited[candidate] {
            let rest = cost(row - 1, candidate - 1) - rowPotential[row] - columnPotential[candidate]
            if rest < least[candidate] { (least[candidate], before[candidate]) = (rest, column) }
            if least[candidate] < change { (next, change) = (candidate, least[candidate]) }
        }
        for candidate in 0...columns {
            if isVisited[candidate] {
                rowPotential[rowOfColumn[candidate]] += change
                columnPotential[candidate] -= change
            } else {
                least[candidate] -= change
            }
        }
        return next
    }

    private static func fill<Element>(_ array: inout [Element], _ count: Int, with element: Element) {
        array.removeAll(keepingCapacity: true)
        for _ in 0..<count { array.append(element) }
    }
}
