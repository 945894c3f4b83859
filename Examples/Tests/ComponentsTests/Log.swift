/// What a test's closures were called with.
final class Log<Entry> {
    private(set) var entries: [Entry] = []

    func append(_ entry: Entry) { entries.append(entry) }
}
