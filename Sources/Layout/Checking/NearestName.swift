/// The name somebody probably meant when they typed one that does not exist.
nonisolated enum NearestName {
    /// The candidate fewest edits away from what was typed, or nil where none is near enough to be a slip.
    static func of(_ typed: String, among candidates: some Sequence<String>) -> String? {
        // One letter in place of another is no slip where there is only one.
        let limit = typed.count < 2 ? 0 : max(1, typed.count / 3)
        let nearest = candidates.filter { abs($0.count - typed.count) <= limit }.map {
            (name: $0, edits: distance(from: typed, to: $0))
        }
        .filter { $0.edits <= limit }
        .min { ($0.edits, $0.name) < ($1.edits, $1.name) }
        return nearest?.name
    }

    /// `; did you mean 'NAME'?`, or nothing.
    static func suggestion(for typed: String, among candidates: some Sequence<String>) -> String {
        of(typed, among: candidates).map { "; did you mean '\($0)'?" } ?? ""
    }

    /// How many insertions, deletions, substitutions and swaps of neighbours lead from one to the other.
    private static func distance(from left: String, to right: String) -> Int {
        let a = Array(left.lowercased()), b = Array(right.lowercased())
        guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
        var rows = [Array(0...b.count)]
        for i in 1...a.count {
            var row = [i]
            for j in 1...b.count {
                let substitution = rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
                var best = min(rows[i - 1][j] + 1, row[j - 1] + 1, substitution)
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                    best = min(best, rows[i - 2][j - 2] + 1)
                }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[a.count][b.count]
    }
}
