/// Receives the output of handlers' programs.
package protocol ProgramLog: AnyObject {
    /// Whether it accepts lines now; while it does not, programs that write wait.
    var hasRoom: Bool { get }

    /// Writes a line; must not block.
    func write(_ line: ProgramLine)
}
