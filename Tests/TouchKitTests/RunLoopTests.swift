import EventLoop
import Foundation
import Testing

@testable import TouchKit

@Suite("A1 the run loop")
struct RunLoopTests {
    @Test("A1.3 an event that is queued wakes the loop, which delivers it and goes on waiting")
    func waking() throws {
        let stage = Stage()
        let loop = try EpollRunLoop()
        stage.application.attach(to: loop)
        let log = CallLog()
        stage.window.addSubview(RecordingView("view", stage.screen.bounds, log: log))
        let finger = stage.finger()
        stage.enqueue([finger.began(at: 1, 1)])
        stage.enqueue([finger.ended(at: 1, 1)])
        #expect(log.lines.isEmpty)

        let first = loop.run(until: .after(.seconds(10)), returnAfterSourceHandled: true)
        let second = loop.run(until: .now, returnAfterSourceHandled: true)

        #expect(first == .handledSource)
        #expect(log.lines == ["view.began 1", "view.ended 1"])
        #expect(second == .timedOut)
    }
}
