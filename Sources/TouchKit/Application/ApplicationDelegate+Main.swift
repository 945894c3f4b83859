import CEntryPoint

extension ApplicationDelegate {
    /// Runs a program whose delegate is marked `@main`, as `UIApplicationMain` does.
    ///
    /// It creates the delegate, asks it for its windows, reads this machine's touchscreens and mice, and delivers
    /// touches until SIGTERM or SIGINT (Ctrl-C). With `--replay FILE` it delivers a recording instead, at `--speed` if
    /// given, and exits at the recording's end.
    ///
    /// As a systemd service it behaves like touchd. It logs each touch to the journal, notifies systemd of readiness
    /// and feeds its watchdog. It opens a socket in its `RuntimeDirectory=` for `touchd status` and `touchd monitor`.
    ///
    /// `Timer`, `RunLoop.main`, `Task` and `DispatchQueue.main` work, by the real time. In a recording only
    /// ``Application/schedule(at:_:)`` follows the recording's time.
    ///
    /// Standard output is flushed before the loop sleeps, whether a terminal or another program reads it.
    ///
    /// All this is done by the module `Service`, a part of the product `TouchKit`. A program that uses the module
    /// `TouchKit` alone, with another loop, defines the C function `touchd_run_application`, which is called in
    /// place of the service's.
    ///
    /// A startup error is written to standard error. The exit status is 64 (`EX_USAGE`) for an invalid argument and 71
    /// (`EX_OSERR`) for anything else.
    public static func main() {
        Application.shared.delegate = Self()
        let hasService = run_application()
        precondition(hasService, "the program lacks the module 'Service'; it must depend on the product 'TouchKit'")
    }
}
