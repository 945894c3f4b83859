import Foundation
import Service

/// A kiosk's program whose handler "stuck" never returns. Argument: the layout. With a second argument it logs to standard
/// error, and its handler "slow" returns after three seconds.
@main
enum StuckKiosk {
    static func main() throws {
        let isSlow = CommandLine.arguments.count > 2
        var options = Daemon.Options(layout: CommandLine.arguments[1], output: isSlow ? .json : .journal)
        if !isSlow { options.control = .service }
        let daemon = Daemon(options)
        daemon.handlers.register("stuck") { _, _ in
            while true { pause() }
        }
        // Blocks the main thread longer than a touch may wait; the lab waits for the touches, not for the clock.
        daemon.handlers.register("slow") { _, _ in sleep(3) }
        try daemon.run()
    }
}
