import ControlProtocol
import EventLoop
import Foundation
import TouchKit

extension ApplicationDelegate {
    /// The whole of a program whose delegate is marked `@main`, as `UIApplicationMain` is.
    ///
    /// It makes the delegate, asks it for its windows, reads this machine's touchscreens and mice, and delivers touches
    /// until SIGTERM or Ctrl-C. Started with `--replay FILE` it delivers a recording instead, at `--speed` if that is
    /// given, and ends with it (`Daemon.Options.init(launchArguments:)`).
    ///
    /// As a service of systemd's it does what touchd does as one: the journal has each touch, systemd is told that it is
    /// ready and that it comes round, and in its `RuntimeDirectory=` is a socket for `touchd status` and `touchd monitor`.
    ///
    /// What handlers print is written when all that is due was done, whether a terminal or another program reads it.
    ///
    /// What keeps it from starting is said on standard error, with exit status 64 (`EX_USAGE`) for an argument, and 71
    /// (`EX_OSERR`) for anything else.
    public static func main() {
        let delegate = Self()
        Application.shared.delegate = delegate
        do {
            var options = try Daemon.Options(launchArguments: CommandLine.arguments)
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

/// Has what was printed be written before the loop sleeps: the C library keeps it back, up to 4 KB, where its reader is no
/// terminal, and the program that draws the screen would hear of a touch much later.
private func flushBeforeWaiting() {
    guard isatty(STDOUT_FILENO) == 0 else { return }
    EpollRunLoop.main.add(RunLoopObserver(activities: .beforeWaiting) { _ in fflush(nil) })
}
