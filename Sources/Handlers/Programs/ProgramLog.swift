/// Takes what handlers' programs write.
public protocol ProgramLog: AnyObject {
    /// Whether it takes lines now; while it does not, programs that write wait.
    var takesLines: Bool { get }

    /// Takes a line; must not block.
    func write(_ line: ProgramLine)
}

/// A line that a handler's program wrote to its standard output or standard error.
public struct ProgramLine: Equatable {
    /// The name of the handler that started the program.
    public var handler: String
    /// The program's process number.
    public var process: Int32
    /// How grave the program says that it is, as syslog(3) counts: the `<3>` before a line (sd-daemon(3)); 6 without it.
    public var priority: Int
    /// The line without its end; of one that is longer than 4096 bytes, a piece.
    public var text: String

    /// Makes a line.
    public init(handler: String, process: Int32, priority: Int, text: String) {
        self.handler = handler
        self.process = process
        self.priority = priority
        self.text = text
    }
}
