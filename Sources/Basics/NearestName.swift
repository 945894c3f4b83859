/// Suggests a name for a misspelled one.
package struct NearestName: Sendable {
    /// The steps of all searches of one check.
    package static let steps = 5_000_000
    /// The maximum length of a name that is searched, in characters.
    package static let longest = 128

    /// The steps left for all searches of one check: visited names and compared letters.
    package private(set) var effort: Int

    /// Creates a search with a number of steps.
    package init(effort: Int = Self.steps) { self.effort = effort }

    /// The candidate with the fewest edits, at most a third of the typed letters; nil if no candidate is that similar
    /// or no steps are left.
    package mutating func of(_ typed: String, among candidates: some Sequence<String>) -> String? {
        let letters = Array(typed.lowercased())
        // A different single letter is a different name, not a typing error.
        guard (2...Self.longest).contains(letters.count) else { return nil }
        let limit = max(1, letters.count / 3)
        var nearest: (edits: Int, name: String)?
        for candidate in candidates {
            effort -= 1
            guard effort > 0 else { return nil }
            // A character has at least one byte, so fewer bytes mean fewer characters.
            guard candidate.utf8.count + limit >= letters.count, abs(candidate.count - letters.count) <= limit,
                let edits = edits(from: letters, to: Array(candidate.lowercased()), limit: nearest?.edits ?? limit)
            else { continue }
            if nearest.map({ (edits, candidate) < $0 }) ?? true { nearest = (edits, candidate) }
        }
        return nearest?.name
    }

    /// `; did you mean 'NAME'?`, or an empty string.
    package mutating func suggestion(for typed: String, among candidates: some Sequence<String>) -> String {
        of(typed, among: candidates).map { "; did you mean '\($0)'?" } ?? ""
    }

    /// The most similar candidate, for a single search.
    package static func of(_ typed: String, among candidates: some Sequence<String>) -> String? {
        var search = NearestName()
        return search.of(typed, among: candidates)
    }

    /// The number of insertions, deletions, substitutions and swaps of neighbors between two names; nil above the
    /// limit.
    private mutating func edits(from a: [Character], to b: [Character], limit: Int) -> Int? {
        guard !b.isEmpty else { return a.count <= limit ? a.count : nil }
        var (beforePrevious, previous, row) = ([Int](), Array(0...b.count), Array(0...b.count))
        for i in 1...a.count {
            effort -= b.count
            guard effort > 0 else { return nil }
            row[0] = i
            for j in 1...b.count {
                var best = min(previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                    best = min(best, beforePrevious[j - 2] + 1)
                }
                row[j] = best
            }
            if let least = row.min(), least > limit, previous.min() ?? 0 > limit { return nil }
            (beforePrevious, previous) = (previous, row)
        }
        return previous[b.count] <= limit ? previous[b.count] : nil
    }
}
