import Testing
import TouchKitTesting
import UIKitNames

@testable import Components

@Suite("A pull to refresh") struct RefreshControlTests {
    let stage = Stage()
    let list: ScrollView
    let control = RefreshControl(frame: CGRect(x: 0, y: -60, width: 1024, height: 60))
    let refreshes = Counter()

    init() {
        list = ScrollView(frame: stage.window.bounds)
        list.contentSize = CGSize(width: 1024, height: 3000)
        control.attach(to: list)
        control.addHandler(for: .valueChanged) { [refreshes] _, _ in refreshes.count() }
        stage.window.addSubview(list)
    }

    private func pull(by y: CGFloat) -> Finger {
        let finger = stage.finger(at: 500, 300)
        finger.moves(to: 500, 300 + y, over: 0.2)
        return finger
    }

    @Test("a long pull refreshes once, when the finger is lifted, until the program says that it ends")
    func refresh() {
        let finger = pull(by: 200)
        #expect(list.contentOffset.y < -60 && !control.isRefreshing)
        finger.lifts()
        #expect(control.isRefreshing && refreshes.value == 1 && list.contentOffset.y == 0)
        pull(by: 200).lifts()
        #expect(refreshes.value == 1)
        control.endRefreshing()
        pull(by: 200).lifts()
        #expect(refreshes.value == 2)
    }

    @Test("a short pull, one that is pushed back, and a cancelled one refresh nothing")
    func cancelled() {
        pull(by: 80).lifts()
        let finger = pull(by: 200)
        finger.moves(to: 500, 310, over: 0.2)
        finger.lifts()
        pull(by: 200).becomesPalm()
        #expect(!control.isRefreshing && refreshes.value == 0 && list.contentOffset.y == 0)
    }

    @Test("the list glides after a flick, and the next finger stops it")
    func glide() {
        let finger = stage.finger(at: 500, 600)
        finger.moves(to: 500, 400, over: 0.1)
        finger.lifts()
        let offset = list.contentOffset.y
        #expect(list.isDecelerating)
        stage.advanceTime(by: 0.2)
        #expect(list.contentOffset.y > offset + 100)
        stage.finger(at: 500, 500)
        let stopped = list.contentOffset.y
        stage.advanceTime(by: 1)
        #expect(!list.isDecelerating && list.contentOffset.y == stopped)
    }
}
