import EventLoop
import Evdev
import Foundation
import Service

/// A day of kiosk use at full speed, through the parts of the service: `Endurance FOLDER [EVENTS [SEED [PICTURES]]]`.
///
/// FOLDER is the repository. Prints a line with the process's resources for every fiftieth of the events, and the
/// errors at the end; exits with 1 if there are any. `make endurance` runs it.
@main
enum Endurance {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count > 1, let events = Int(arguments.dropFirst(2).first ?? "50000000"),
            let seed = UInt64(arguments.dropFirst(3).first ?? "1")
        else {
            print("usage: Endurance FOLDER [EVENTS [SEED [FOLDER OF PICTURES]]]")
            exit(64)
        }
        MallocArenas.limitToOne()
        let run = try EnduranceRun(folder: arguments[1], events: events, seed: seed)
        run.perform()
        if arguments.count > 4 { try run.draw(in: arguments[4]) }
        exit(run.report() ? 0 : 1)
    }
}
