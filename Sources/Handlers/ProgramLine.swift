/// A line that a handler's program wrote to its standard output or standard error.
package struct ProgramLine: Equatable {
    package var handler: String
    package var process: Int32
    /// The syslog(3) priority of the line, from its `<3>` prefix (sd-daemon(3)); 6 without a prefix.
    package var priority: Int
    /// The line without its newline, or one piece of a line longer than 4096 bytes.
    package var text: String

    package init(handler: String, process: Int32, priority: Int, text: String) {
        (self.handler, self.process, self.priority, self.text) = (handler, process, priority, text)
    }
}
