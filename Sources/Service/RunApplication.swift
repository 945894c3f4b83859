import ControlProtocol
import EventLoop
import Foundation
import TouchKit

/// Runs the process's application as a service until it ends; `ApplicationDelegate.main()` calls it by this symbol.
// `@c` needs Swift 6.3; Debian has 6.2.
@_cdecl("touchd_run_application")
package nonisolated func runApplication() {
    MainActor.assumeIsolated {
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
