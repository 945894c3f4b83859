extension [String] {
    /// The value of an option in the words of a command line: the next word, or that after `=`, which bash makes a word.
    ///
    /// - Parameter names: The option's names.
    package func value(of names: String...) -> String? {
        let words = flatMap { $0.hasPrefix("-") ? $0.split(separator: "=", maxSplits: 1).map(String.init) : [$0] }
        return words.lastIndex(where: names.contains).flatMap { words[($0 + 1)...].first { $0 != "=" } }
    }
}
