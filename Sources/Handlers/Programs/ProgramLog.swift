/// Receives the output of handlers' programs.
public protocol ProgramLog: AnyObject {
    /// Whether it accepts lines now; while it does not, programs that write wait.
    var hasRoom: Bool { get }

    /// Writes a line; must not block.
    func write(_ line: ProgramLine)
}

/// A line that a handler's program wrote to its standard output or standard error.
public struct ProgramLine: Equatable {
    /// The name of the handler that started the program.
    public var handler: String
    /// The program's process number.
    public var process: Int32
    /// The syslog(3) priority of the line, from its `<3>` prefix (sd-daemon(3)); 6 without a prefix.
    public var priority: Int
    /// The line without its newline, or one piece of a line longer than 4096 bytes.
    public var text: String

    /// Creates a line.
    public init(handler: String, process: Int32, priority: Int, text: String) {
        self.handler = handler
        self.process = process
        self.priority = priority
        self.text = text
    }
}
