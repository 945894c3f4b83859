import Testing
import TouchKitTesting

@testable import TouchKit

@Suite("B8 recognizers in pairs")
struct GesturePairTests {
    /// Where the two recognizers are attached, in the order in which they receive touches.
    private enum Place: CaseIterable {
        case oneView, oneViewReversed, viewAndSuperview, viewAndSuperviewReversed

        var isReversed: Bool { self == .oneViewReversed || self == .viewAndSuperviewReversed }
        var isNested: Bool { self == .viewAndSuperview || self == .viewAndSuperviewReversed }
    }

    private func expectWinners(
        of pair: GesturePair, _ relate: (_ first: GestureRecognizer, _ second: GestureRecognizer) -> Void = { _, _ in }
    ) {
        for place in Place.allCases {
            let (stage, log) = (Stage(), CallLog())
            let view = View(frame: stage.screen.bounds)
            view.isMultipleTouchEnabled = true
            stage.window.addSubview(view)
            let (first, second) = (pair.first.make(log), pair.second.make(log))
            relate(first, second)
            view.addGestureRecognizer(place.isReversed ? second : first)
            (place.isNested ? stage.window : view).addGestureRecognizer(place.isReversed ? first : second)

            pair.play.perform(on: stage)

            let winners = place.isReversed ? pair.winnersReversed ?? pair.winners : pair.winners
            #expect(log.lines == winners.map(\.rawValue), "\(place)")
        }
    }

    @Test("B8 the table has every pair of built-in recognizers")
    func isComplete() {
        let kinds = GestureKind.allCases
        let pairs = Set(GesturePair.byDefault.map { [$0.first, $0.second] })

        for (index, first) in kinds.enumerated() {
            for second in kinds[(index + 1)...] { #expect(pairs.contains([first, second]), "\(first) and \(second)") }
        }
    }

    @Test("B8 the first of two recognizers to recognize wins", arguments: GesturePair.byDefault)
    func byDefault(_ pair: GesturePair) {
        expectWinners(of: pair)
    }

    @Test(
        "B7 the first of two recognizers waits for the second to fail", arguments: GesturePair.firstRequiresSecondToFail
    )
    func requireToFail(_ pair: GesturePair) {
        expectWinners(of: pair) { first, second in first.require(toFail: second) }
    }

    @Test("B8 both recognizers recognize if a delegate allows it", arguments: GesturePair.simultaneous)
    func simultaneous(_ pair: GesturePair) {
        let answers = Answers()
        answers.simultaneously = { _, _ in true }
        expectWinners(of: pair) { first, _ in first.delegate = answers }
    }
}
