import ControlProtocol
import ArgumentParser
import Basics
import CommandSupport
import Foundation
import Layout
import TouchKit

struct Hit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hit",
        abstract: "Show which view receives a touch at a point, and why.",
        discussion: """
            The point is in points of the screen, from its top left corner. --explain also prints the views in the order of \
            hit-testing, the gestures that receive the touch, the responder chain and the handlers that can run. Nothing is \
            touched and no handler runs.

            With --running the answer comes from the running touchd, with its current page and with the views that handlers \
            have hidden, shown, disabled and enabled; views that do not contain the point are then left out.
            """)

    @OptionGroup var layout: LayoutChoice

    // A negative number looks like an option.
    @Argument(
        parsing: .allUnrecognized,
        help: ArgumentHelp("The distances from the left and the top edge, in points.", valueName: "x> <y"))
    var point: [String] = []

    @Flag(help: "Also print every hit-tested view, gestures, responders and handlers.")
    var explain = false

    @Flag(help: "Print JSON, one object.")
    var json = false

    @Flag(help: "Ask the running touchd instead of reading the file.")
    var running = false

    @OptionGroup var control: ControlOptions

    func validate() throws {
        if let option = point.first(where: { $0.hasPrefix("-") && Double($0) == nil }) {
            throw ValidationError("unknown option '\(option)'; 'touchd hit --help' lists them")
        }
        guard coordinates.count == 2, point.count == 2, coordinates.allSatisfy(\.isFinite) else {
            throw ValidationError("a point must be two finite numbers, such as 960 540")
        }
        if explain, json { throw ValidationError("--json has all that --explain prints; remove one") }
        try control.require(running, "add --running, or remove it")
        guard !running || layout.page == nil && layout.file.given == nil else {
            throw ValidationError(
                "--running uses the running layout and page; remove --layout and --page")
        }
    }

    private var coordinates: [Double] { point.compactMap { Double($0) } }

    func run() throws {
        if running { return try control.run { connection in try write(ask(connection)) } }
        try CommandFailure.reporting {
            let place = try layout.load()
            try write(MainActor.assumeIsolated { try ask(place) })
        }
    }

    private func write(_ report: HitReport) throws {
        guard json else { return print(explain ? report.explanation : report.answer) }
        print(report.jsonText())
    }

    private func ask(_ connection: ControlConnection) throws -> HitReport {
        let state: LayoutState = try connection.answer(to: .layout)
        let screen = layout.screen.map { name in state.screens.first { $0.name == name } } ?? state.screens.first
        // touchd itself names an unknown screen.
        if let screen { try check(on: screen.name, CGSize(width: screen.width, height: screen.height)) }
        return try connection.answer(to: .hit(x: coordinates[0], y: coordinates[1], screen: layout.screen))
    }

    /// Throws if the point is not on a screen.
    private func check(on screen: String?, _ size: CGSize) throws(UnavailableError) {
        let (x, y) = (coordinates[0], coordinates[1])
        guard !CGRect(origin: .zero, size: size).contains(CGPoint(x: x, y: y)) else { return }
        let name = screen.map { " '\($0)'" } ?? ""
        let text = String(
            format: "%g, %g is not on the screen\(name) of %g \(Terminal.times) %g points", x, y, size.width,
            size.height)
        throw UnavailableError(text, status: EX_USAGE)
    }

    @MainActor
    private func ask(_ place: LayoutChoice.ChosenPage) throws -> HitReport {
        let scene = Scene(place.document) { _, _ in }
        if let page = place.page { try scene.go(to: page.name) }
        scene.activate()
        try check(on: place.screen.name, place.screen.size)
        let point = CGPoint(x: coordinates[0], y: coordinates[1])
        guard let report = scene.hit(point, onScreen: place.screen.name) else {
            preconditionFailure("the screen was found in this layout")
        }
        return report
    }
}

extension HitReport {
    /// The result on one line.
    fileprivate var answer: String {
        guard let index = visits.firstIndex(where: { $0.outcome == .taken || $0.outcome == .redirected }) else {
            return "no view: the point is not on the screen"
        }
        let visit = visits[index]
        if visit.outcome == .redirected { return "\(visit.view) \(visit.reason)" }
        guard visit.depth > 0 else { return "no view: the touch goes to the \(visit.view)" }
        let origin = visit.publisher.map { "published by \($0)" } ?? visit.location
        return origin.map { "\(visit.view) (\($0))" } ?? visit.view
    }

    /// The full explanation for people.
    fileprivate var explanation: String {
        var lines = [answer, "", "Hit-tested, front to back:"]
        lines += visitLines
        lines += ["", recognizers.isEmpty ? "No gesture receives it." : "Gestures that receive it, in this order:"]
        lines += recognizers.map { "  \($0.gesture) of \($0.view)" + ($0.isEnabled ? "" : ", disabled") }
        lines += ["", "Responder chain:"] + responders.map { "  \($0)" }
        lines += ["", handlers.isEmpty ? "No handler runs." : "Handlers that can run:"]
        lines += handlers.map { "  \($0.trigger) at \($0.at): \($0.handler)" }
        if let forwarding { lines += [""] + forwarding.lines }
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
            let origin = visit.publisher.map { " (published by \($0))" } ?? ""
            lines.append("\(indent)\(visit.view)\(origin) \(visit.reason)")
            index += 1
            let row = visits[index...].prefix { $0.outcome == .outside && $0.depth == visit.depth }
            if visit.outcome == .outside, row.count > 3 {
                lines.append("\(indent)and \(row.count) more siblings do not contain the point")
                index += row.count
            }
        }
        return lines
    }
}

extension HitReport.Forwarding {
    fileprivate var lines: [String] {
        guard isForwarded else { return ["The program that draws does not receive it: forward: false of \(by)."] }
        var lines = ["The program that draws receives it as well: forward: true of \(by)."]
        for (what, gestures) in [("only after these fail", delayedBy), ("cancelled by these", cancelledBy)]
        where !gestures.isEmpty { lines.append("  \(what): \(gestures.joined(separator: ", "))") }
        return lines
    }
}
