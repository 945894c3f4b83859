/// Receives the output of handlers' programs.
package protocol ProgramLog: AnyObject {
    /// Whether it accepts lines now; while it does not, programs that write wait.
    var hasRoom: Bool { get }

    /// Writes a line; must not block.
    func write(_ line: ProgramLine)
}

/// A line that a handler's program wrote to its standard output or standard error.
package struct ProgramLine: Equatable {
    /// The name of the handler that started the program.
    package var handler: String
    /// The program's process number.
    package var process: Int32
    /// The syslog(3) priority of the line, from its `<3>` prefix (sd-daemon(3)); 6 without a prefix.
    package var priority: Int
    /// The line without its newline, or one piece of a line longer than 4096 bytes.
    package var text: String

    /// Creates a line.
    package init(handler: String, process: Int32, priority: Int, text: String) {
        self.handler = handler
        self.process = process
        self.priority = priority
        self.text = text
    }
}
