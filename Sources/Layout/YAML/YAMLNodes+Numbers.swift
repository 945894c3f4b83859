nonisolated extension YAMLNodes {
    /// A finite number.
    mutating func number(_ node: Node, _ what: @autoclosure () -> String) -> Double? {
        guard charge(node) else { return nil }
        guard let value = node.number else {
            noteKind(of: node, what(), "a number")
            return nil
        }
        return value
    }

    /// A number within bounds.
    mutating func number(_ node: Node, _ what: @autoclosure () -> String, in bounds: ClosedRange<Double>) -> Double? {
        guard let value = number(node, what()) else { return nil }
        guard bounds.contains(value) else {
            let (low, high) = (Self.text(bounds.lowerBound), Self.text(bounds.upperBound))
            note(at: node, "\(what()) must be between \(low) and \(high) (got \(Self.text(value)))")
            return nil
        }
        return value
    }

    /// A whole number within bounds.
    mutating func count(_ node: Node, _ what: @autoclosure () -> String, in bounds: ClosedRange<Int>) -> Int? {
        guard let value = number(node, what()) else { return nil }
        guard let count = Int(exactly: value), bounds.contains(count) else {
            note(
                at: node,
                "\(what()) must be a whole number from \(bounds.lowerBound) to \(bounds.upperBound) "
                    + "(got \(Self.text(value)))")
            return nil
        }
        return count
    }

    /// A list of finite numbers, one for each name.
    mutating func numbers(_ node: Node, _ what: @autoclosure () -> String, named names: [String]) -> [Double]? {
        guard let items = items(node, what(), named: names) else { return nil }
        let values = zip(items, names).compactMap { number($0, "'\($1)' in \(what())") }
        return values.count == names.count ? values : nil
    }

    /// A list of items, one for each name.
    mutating func items(_ node: Node, _ what: @autoclosure () -> String, named names: [String]) -> [Node]? {
        isList(node, what(), named: names) ? node.items : nil
    }

    /// Whether a node is a list with an item for each name.
    mutating func isList(_ node: Node, _ what: @autoclosure () -> String, named names: [String]) -> Bool {
        var form: String { "[\(names.joined(separator: ", "))]" }
        guard isList(node, what(), form) else { return false }
        guard node.count == names.count else {
            let hint = node.count == names.count + 1 ? "; \(Self.decimalHint)" : ""
            note(at: node, "\(what()) must be \(names.count) numbers \(form) (got \(node.count))\(hint)")
            return false
        }
        return true
    }

    /// A length in points, or in percent of `whole`.
    mutating func length(_ node: Node, _ what: @autoclosure () -> String, of whole: Double) -> Double? {
        guard charge(node) else { return nil }
        if let value = node.number { return value }
        guard let part = node.percentage else {
            noteKind(of: node, what(), "a number of points or a percentage like 50%")
            return nil
        }
        return part / 100 * whole
    }

    /// A number, without `.0` for a whole number.
    static func text(_ value: Double) -> String {
        Int(exactly: value).map(String.init) ?? "\(value)"
    }
}
