import Foundation
import LabSupport
import Testing

/// A visitor who does not see the screen, at a forwarded panel with a Qt program behind it; `Tests/Lab/talking.sh` runs them.
@Suite("The talking mode before a Qt program, in a booted machine", .needsLab)
struct TalkingTests {
    @Test(
        "Qt gets one tap for each activation and nothing of a finger that explores, by evdev and by libinput",
        .enabled(if: access("/usr/share/doc/qtbase5-dev", F_OK) == 0, "needs the package qtbase5-dev"))
    func qt() async throws {
        let program = try LabRun.qtProgram("Tests/SystemTests/Support/tickets.cpp", module: "Qt5Widgets")
        let run = try await LabRun("talking.sh", in: .machine, LabRun.programs, LabRun.touchd, program)
        for plugin in ["evdevtouch", "libinput"] {
            #expect(
                try run.lines("talking-said-\(plugin)").filter { $0 != "quiet" } == [
                    "started", "focus: Ticket machine of the city", "focus: Ticket machine of the city",
                    "focus: Deutsch", "focus: English", "activated: English", "focus: Ticket machine of the city",
                    "focus: Single, 2 euros 40", "focus: Day ticket, 7 euros", "activated: Day ticket, 7 euros",
                    "focus: Week ticket, 29 euros", "ended",
                ])
            let got = try run.lines("talking-got-\(plugin)")
            #expect(
                got.map { String($0.prefix { !$0.isNumber }) } == [
                    "ready", "began ", "ended ", "pressed English", "began ", "ended ", "pressed Day ticket", "began ",
                    "ended ", "pressed Start",
                ])
            // In the middle of English and of the day ticket, and where the last finger was: within three points of the layout.
            let places = got.filter { $0.hasPrefix("began") }.map { $0.split(separator: " ").compactMap { Int($0) } }
            for (place, expected) in zip(places, [[540, 1050], [540, 672], [540, 1840]]) {
                #expect(zip(place, expected).allSatisfy { abs($0 - $1) <= 3 }, "\(place)")
            }
        }
    }
}
