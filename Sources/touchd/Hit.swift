import ControlProtocol
import ArgumentParser
import CommandSupport
import Foundation
import Layout
import TouchKit

/// `touchd hit`.
struct Hit: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say which view takes a touch at a point, and why no other.",
        discussion: """
            The point is in points of the screen, from its top left corner. With --explain follow the views in the order \
            in which they are asked, the gestures that are told, the responder chain and the handlers that can run. \
            Nothing is touched and no handler runs.

            With --running the running touchd answers, with the page that it shows and what handlers hid, showed, \
            disabled and enabled since; views that the point is outside of are left out then.
            """)

    @OptionGroup var layout: LayoutChoice

    @Argument(help: "Points from the left.")
    var x: Double

    @Argument(help: "Points from the top.")
    var y: Double

    @Flag(help: "Say it of every view that was asked, and what would follow.")
    var explain = false

    @Flag(help: "Print one JSON object.")
    var json = false

    @Flag(help: "Ask the running touchd, and not the file.")
    var running = false

    @OptionGroup var control: ControlOptions

    func validate() throws {
        guard x.isFinite, y.isFinite else { throw ValidationError("a point has two numbers, such as 960 540") }
        guard !running || layout.page == nil && layout.layout == Run.installedLayout else {
            throw ValidationError(
                "--running asks about the layout and the page that are at work; leave --layout and --page out")
        }
    }

    func run() throws {
        if running { return try control.run { connection in try write(ask(connection)) } }
        do {
            let place = try layout.load()
            try write(MainActor.assumeIsolated { try ask(place) })
        } catch {
            throw Failure.report(error)
        }
    }

    private func write(_ report: HitReport) throws {
        guard json else { return print(explain ? report.explanation : report.answer) }
        print(String(decoding: report.jsonLine, as: UTF8.self))
    }

    private func ask(_ connection: ControlConnection) throws -> HitReport {
        let answer = try connection.send(.hit(x: x, y: y, screen: layout.screen))
        return try JSONDecoder().decode(HitReport.self, from: JSONEncoder().encode(answer))
    }

    @MainActor
    private func ask(_ place: LayoutChoice.Place) throws -> HitReport {
        let scene = Scene(place.document) { _, _ in }
        if let page = place.page { try scene.go(to: page.name) }
        scene.activate()
        guard let report = scene.hit(CGPoint(x: x, y: y), onScreen: place.screen.name) else {
            preconditionFailure("the screen was found in this layout")
        }
        return report
    }
}

extension HitReport {
    /// The result on one line.
    fileprivate var answer: String {
        guard let index = visits.firstIndex(where: { $0.outcome == .taken || $0.outcome == .redirected }) else {
            return "nothing: the point is not on the screen"
        }
        let visit = visits[index]
        if visit.outcome == .redirected { return "\(visit.view) \(visit.reason)" }
        guard visit.depth > 0 else { return "no view: the touch goes to the \(visit.view)" }
        return visit.location.map { "\(visit.view) (\($0))" } ?? visit.view
    }

    /// The full explanation for people.
    fileprivate var explanation: String {
        var lines = [answer, "", "Asked, front to back:"]
        lines += visitLines
        lines += ["", recognizers.isEmpty ? "No gesture is told of it." : "Gestures that are told, in this order:"]
        lines += recognizers.map { "  \($0.gesture) of \($0.view)" + ($0.isEnabled ? "" : ", which is not enabled") }
        lines += ["", "Responder chain:"] + responders.map { "  \($0)" }
        lines += ["", handlers.isEmpty ? "No handler runs." : "Handlers that can run:"]
        lines += handlers.map { "  \($0.trigger) at \($0.at): \($0.handler)" }
        return lines.joined(separator: "\n")
    }

    /// One line per view. For a long row of siblings that do not contain the point, as in a seat map, only the first
    /// and their number.
    private var visitLines: [String] {
        var lines: [String] = []
        var index = 0
        while index < visits.count {
            let visit = visits[index]
            let indent = "  " + String(repeating: "  ", count: visit.depth)
            lines.append("\(indent)\(visit.view) \(visit.reason)")
            index += 1
            let row = visits[index...].prefix { $0.outcome == .outside && $0.depth == visit.depth }
            if visit.outcome == .outside, row.count > 3 {
                lines.append("\(indent)nor do \(row.count) others beside it")
                index += row.count
            }
        }
        return lines
    }
}
