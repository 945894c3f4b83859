/// The output of a sample program, kept for its test.
var printed: [String] = []

/// Prints a line.
func output(_ line: String) { printed.append(line) }
