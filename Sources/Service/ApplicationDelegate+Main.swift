import Basics
import EventLoop
import Glibc
import TouchKit

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
    /// `Application.schedule(at:_:)` follows the recording's time.
    ///
    /// Standard output is flushed before the loop sleeps, whether a terminal or another program reads it.
    ///
    /// A program with another loop imports TouchKit alone and has its own `main()`.
    ///
    /// A startup error is written to standard error. The exit status is 64 (`EX_USAGE`) for an invalid argument and 71
    /// (`EX_OSERR`) for anything else.
    public static func main() {
        Application.shared.delegate = Self()
        do {
            var options = try DaemonOptions(launchArguments: CommandLine.arguments)
            if ServiceManager.isService {
                options.output = .journal
                options.control = .service
            }
            flushBeforeWaiting()
            try Daemon(options).run()
        } catch {
            StandardError.write(line: "\(error)")
            exit(error is LaunchArgumentError ? EX_USAGE : EX_OSERR)
        }
    }
}

/// Flushes standard output before the loop sleeps. If the reader is not a terminal, the C library buffers up to 4 KB.
/// Then the program that draws the screen would learn of a touch too late.
private func flushBeforeWaiting() {
    guard isatty(STDOUT_FILENO) == 0 else { return }
    EpollRunLoop.main.add(RunLoopObserver(activities: .beforeWaiting) { _ in fflush(nil) })
}
