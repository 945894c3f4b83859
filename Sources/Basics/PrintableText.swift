extension String {
    /// The text with U+FFFD for the characters that a terminal executes or that change the order of the others.
    package var printable: String {
        if utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return self }
        var printable = UnicodeScalarView()
        for scalar in unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse:
                printable.append("\u{FFFD}")
            default: printable.append(scalar)
            }
        }
        return String(printable)
    }
}
