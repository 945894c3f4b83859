import Basics
import Evdev
import EventLoop
import Testing

@testable import Service

@Suite("Panels whose virtual touchscreen cannot be created") struct PanelForwarderTests {
    private let loop: EpollRunLoop
    private let grab = PanelGrab(.panel(), descriptor: -1)
    private static let reason = "no virtual touchscreen can be created through /dev/uinput: Too many open files"

    init() throws { loop = try EpollRunLoop() }

    @Test("the virtual touchscreen is tried again while the panel is open; the reason is reported once")
    func retried() {
        var attempts = 0
        var states: [PanelForwarder.State] = []
        let forwarder = PanelForwarder(
            loop: loop, delays: RetryDelays(first: .microseconds(1)),
            makePanel: { info in
                attempts += 1
                if attempts < 4 { throw VirtualDeviceError.refused(reason: "Too many open files") }
                return ForwardedPanel(info) { _ in }
            },
            report: { [loop] _, state in
                states.append(state)
                if attempts == 4 { loop.stop() }
            })

        forwarder.callbacks.didOpen(grab)
        #expect(!forwarder.hasPanels)
        loop.run()

        #expect(states == [.failed(reason: Self.reason), .forwards(node: "")])
        #expect(attempts == 4 && forwarder.hasPanels)
        forwarder.removeAll()
    }

    @Test("the virtual touchscreen is not tried again after the panel was closed")
    func closed() {
        var states: [PanelForwarder.State] = []
        let forwarder = PanelForwarder(
            loop: loop, makePanel: { _ in throw VirtualDeviceError.refused(reason: "Too many open files") },
            report: { states.append($1) })

        forwarder.callbacks.didOpen(grab)
        forwarder.callbacks.willClose(grab)

        #expect(loop.run() == .finished)
        #expect(states == [.failed(reason: Self.reason)])
    }
}
