import ControlProtocol

/// The names of a layout's parts: views, gestures, slots, pages, screens and handlers.
///
/// A name has letters and digits of any script, `_`, `.` and `-`, in words with one space between them; each word begins
/// with a letter or a digit. No shell gives a meaning to such a name, and no word of it is an option, so a name may
/// stand in the arguments of a program.
nonisolated enum LayoutName {
    private enum Part { case letter, mark, space, other }

    static func isValid(_ name: String) -> Bool {
        guard name.utf8.count <= JSONTree.longestName else { return false }
        var beginsWord = true
        for scalar in name.unicodeScalars {
            switch part(scalar) {
            case .letter: beginsWord = false
            case .mark where !beginsWord: break
            case .space where !beginsWord: beginsWord = true
            default: return false
            }
        }
        return !beginsWord && (name.utf8.count <= LayoutLimit.nameLength || name.count <= LayoutLimit.nameLength)
    }

    /// The valid name that is most like a text; nil without a letter or digit.
    static func similar(to text: String) -> String? {
        var name = ""
        for scalar in text.prefix(LayoutLimit.nameLength).unicodeScalars {
            let part = part(scalar)
            let beginsWord = name.isEmpty || name.last == " "
            if part == .letter || !beginsWord { name.unicodeScalars.append(part == .other ? "-" : scalar) }
        }
        while let last = name.unicodeScalars.last, " ._-".unicodeScalars.contains(last) {
            name.unicodeScalars.removeLast()
        }
        return isValid(name) ? name : nil
    }

    private static func part(_ scalar: Unicode.Scalar) -> Part {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9": return .letter
        case "_", ".", "-": return .mark
        case " ": return .space
        case _ where scalar.isASCII || scalar.properties.isDefaultIgnorableCodePoint: return .other
        default: break
        }
        return switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber:
            .letter
        // Scripts of India and Southeast Asia write vowels as marks.
        case .nonspacingMark, .spacingMark: .mark
        default: .other
        }
    }
}
