import Foundation
import Service

/// A kiosk's program whose handler "stuck" never returns. Argument: the layout.
@main
enum StuckKiosk {
    static func main() throws {
        var options = Daemon.Options(layout: CommandLine.arguments[1], output: .journal)
        options.control = .service
        let daemon = Daemon(options)
        daemon.handlers.register("stuck") { _, _ in
            while true { pause() }
        }
        try daemon.run()
    }
}
