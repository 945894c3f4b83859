import ArgumentParser
import Foundation
import Service

/// `touchd hit`.
struct Hit: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say which view of the running layout a touch at a place would be on.",
        discussion: "Prints the view's id and those of the views it is in; the exit status is 1 where there is none.")

    @Argument(help: "How far from the left, in points of the screen.")
    var x: Double

    @Argument(help: "How far from the top, in points of the screen.")
    var y: Double

    @OptionGroup var control: ControlOptions

    func run() throws {
        var isHit = false
        try control.run { connection in
            guard case .object(let answer) = try connection.send(.hit(x: x, y: y)),
                case .array(let path)? = answer["path"], !path.isEmpty
            else { return }
            isHit = true
            print(path.compactMap { if case .string(let id) = $0 { id } else { nil } }.joined(separator: " in "))
        }
        if !isHit {
            print("no view with an id")
            throw ExitCode(1)
        }
    }
}
