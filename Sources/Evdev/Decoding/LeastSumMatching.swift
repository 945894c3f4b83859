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
    mutating func solve(_ rows: Int, _ columns: Int, cost: (_ row: Int, _ column: Int) -> Double) {
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
