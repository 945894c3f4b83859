import CLibyaml

/// Why libyaml rejects a text, and where.
package struct YAMLProblem {
    /// The line, from 1.
    package let line: Int
    /// The column in Unicode scalars, from 1.
    package let column: Int
    /// The problem, and how to fix it.
    package let message: String

    /// - Parameters:
    ///   - state: The parser after its error.
    ///   - text: What it read.
    package init(_ state: yaml_parser_t, in text: UnsafeBufferPointer<UInt8>) {
        if state.error == YAML_READER_ERROR {
            (line, column) = Self.end(
                of: String(decoding: text.prefix(state.problem_offset), as: UTF8.self).unicodeScalars)
            message = "not valid YAML: \(state.problem.map { String(cString: $0) } ?? "out of memory")"
        } else {
            (line, column) = (state.problem_mark.line + 1, state.problem_mark.column + 1)
            message = "not valid YAML: \(YAMLSyntaxProblem(state, in: text).message)"
        }
    }

    /// The line and column after a text.
    static func end(of text: some BidirectionalCollection<Unicode.Scalar>) -> (line: Int, column: Int) {
        (text.count { $0 == "\n" } + 1, text.reversed().prefix { $0 != "\n" }.count + 1)
    }
}

/// libyaml's reason for rejecting a text, explained by what the author of a layout most likely did: often a text needs
/// quotes.
private struct YAMLSyntaxProblem {
    private let problem, context: String
    /// The line of the problem: up to it, and from it.
    private let before, after: String
    private let lineBefore: String
    /// The lines of the problem and of its context, from 1, and the context's indentation.
    private let line, contextLine, indentation: Int

    init(_ state: yaml_parser_t, in text: UnsafeBufferPointer<UInt8>) {
        problem = state.problem.map { String(cString: $0) } ?? "out of memory"
        context = state.context.map { String(cString: $0) } ?? ""
        line = Int(state.problem_mark.line) + 1
        contextLine = Int(state.context_mark.line) + 1
        indentation = Int(state.context_mark.column)
        // libyaml counts characters.
        let scalars = Array(String(decoding: text, as: UTF8.self).unicodeScalars)
        let place = min(Int(state.problem_mark.index), scalars.count)
        let isBreak = { (scalar: Unicode.Scalar) in scalar == "\n" || scalar == "\r" }
        let start = scalars[..<place].lastIndex(where: isBreak).map { $0 + 1 } ?? 0
        let end = scalars[place...].firstIndex(where: isBreak) ?? scalars.count
        before = String(String.UnicodeScalarView(scalars[start..<place]))
        after = String(String.UnicodeScalarView(scalars[place..<end]))
        let earlier = scalars[..<start].split(whereSeparator: isBreak).last ?? []
        lineBefore = String(String.UnicodeScalarView(earlier))
    }

    /// The problem, and how to fix it.
    var message: String {
        if (lineBefore + before + after).contains("\u{A0}") {
            return "\(reason) (a no-break space, U+00A0, is not a space)"
        }
        let isCut = problem.hasPrefix("did not find") && contextLine >= line - 1 && before.isEmpty
        return isCut && lineBefore.contains(" #") ? "\(reason); a text that contains '#' needs quotes" : reason
    }

    private var reason: String {
        switch problem {
        case "mapping values are not allowed in this context":
            return value.map { "a text with ': ' in it needs quotes: \"\($0)\"" }
                ?? "check the line before: its indentation, and a space after each ':'"
        case "did not find expected key", "did not find expected '-' indicator": return misplaced
        case "did not find expected ',' or '}'", "did not find expected ',' or ']'": return unclosed
        case "found character that cannot start any token":
            return after.first == "\t"
                ? "indent with spaces, not with tabs" : "a text that begins with '\(after.prefix(1))' needs quotes"
        case "could not find expected ':'" where lineBefore.contains(":") && contextLine == line - 1:
            return "a ':' in line \(contextLine) has no space after it"
        case "could not find expected ':'": return "the key in line \(contextLine) has no ':' after it"
        case "found unexpected end of stream": return "the quotes that begin in line \(contextLine) are not closed"
        case "found unknown escape character": return "unknown escape after '\\'; put the text into single quotes"
        case "block sequence entries are not allowed in this context":
            return "a list begins in the line after its key: move '- ' there"
        case "did not find expected node content": return "a value is missing"
        case "found undefined alias": return "a text that begins with '*' needs quotes"
        case _ where problem.hasPrefix("found a tab character"): return "indent with spaces, not with tabs"
        default: break
        }
        switch context {
        case "while scanning an alias": return "a text that begins with '*' needs quotes"
        case "while scanning an anchor": return "a text that begins with '&' needs quotes"
        case "": return problem
        default: return "\(context) that begins in line \(contextLine): \(problem)"
        }
    }

    /// The value after the first ": " of the line, without a comment; nil if the problem is before it.
    private var value: String? {
        guard let colon = before.firstRange(of: ": ") else { return nil }
        let end = after.firstRange(of: " #")?.lowerBound ?? after.endIndex
        let value = before[colon.upperBound...] + after[..<end]
        return String(value.prefix(80)).replacing("\"", with: "\\\"")
    }

    /// A line that belongs to no list or mapping.
    private var misplaced: String {
        let spaces = before.count
        guard before.contains(where: { $0 != " " }) else {
            return after.hasPrefix("- ") && spaces == indentation
                ? "a list item cannot follow the keys that begin in line \(contextLine); put the list under a key"
                : "wrong indentation: \(spaces) space\(spaces == 1 ? " does" : "s do") not match any line above"
        }
        if before.contains(":{") || before.contains(":[") { return "a ':' has no space after it" }
        if after.first == "]" || after.first == "}" { return "nothing is open that '\(after.prefix(1))' could close" }
        guard let value, let first = value.first, first == "{" || first == "[" else {
            return "text follows a closing quote; put the whole text into one pair of quotes"
        }
        return "a text that begins with '\(first)' needs quotes: \"\(value)\""
    }

    /// A list or mapping in brackets that does not end, or a text in it that needs quotes.
    private var unclosed: String {
        let close = problem.hasSuffix("'}'") ? "}" : "]"
        guard contextLine == line, let next = after.first else {
            return "the '\(close == "}" ? "{" : "[")' in line \(contextLine) is not closed; add '\(close)'"
        }
        if before.hasSuffix("'"), next.isLetter { return "put double quotes around a text that contains '" }
        if let text = unquoted { return "a text that contains one of {}[],: needs quotes: \"\(text)\"" }
        return "expected ',' or '\(close)' (got '\(next)'); put quotes around a text that contains one of {}[],:"
    }

    /// The text around the problem in brackets, such as `{view} was touched` in `{log: {view} was touched}`; nil if it is
    /// probably not a text.
    private var unquoted: String? {
        let starts = [": ", ", "].compactMap { before.ranges(of: $0).last?.upperBound }
        guard let start = starts.max() else { return nil }
        var depth = 0
        func isInside(_ character: Character) -> Bool {
            depth += "{[".contains(character) ? 1 : "}]".contains(character) ? -1 : 0
            return depth >= 0 && !(depth == 0 && character == ",")
        }
        let first = before[start...]
        guard first.allSatisfy(isInside), depth == 0, first.first != "\"", first.first != "'" else { return nil }
        let text = String(first + after.prefix(while: isInside)).replacing("\"", with: "\\\"")
        return text.contains(where: { "{}[],:".contains($0) }) ? String(text.prefix(80)) : nil
    }
}
