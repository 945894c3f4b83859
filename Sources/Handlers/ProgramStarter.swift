/// Starts programs and reports their events.
protocol ProgramStarter: AnyObject {
    /// Starts a program that writes to `output`, which the caller closes.
    ///
    /// - Parameter report: Called on the loop's thread, possibly before this returns.
    func start(
        _ command: ProgramCommand, output: Int32, report: @escaping (ProgramEvent) -> Void
    ) throws(HandlerFailure)

    /// Called on exit: ends programs that have a timeout, which could not be enforced afterwards.
    func close()
}
