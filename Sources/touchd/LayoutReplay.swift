import Evdev
import EventLoop
import Layout
import TouchKit

/// A recording delivered to a layout of which no handler runs.
@MainActor
struct LayoutReplay {
    private let document: LayoutDocument

    init(_ document: LayoutDocument) { self.document = document }

    /// Delivers a whole recording as fast as it can be read.
    func run(_ path: String, didDeliver: @escaping (TouchDelivery) -> Void) throws {
        let reader = try RecordingReader(path: path)
        let application = Application.shared
        let loop = EpollRunLoop.main
        Screen.main.bounds.size = document.screens[0].size
        let scene = Scene(document) { _, _ in }
        scene.activate()
        defer { scene.deactivate() }
        application.didDeliver = didDeliver
        defer { application.didDeliver = nil }
        application.attach(to: loop, followsClock: false)
        defer { application.detach() }
        var failure: RecordingError?
        let player = RecordingPlayer(
            reader, path: path, loop: loop, speed: .maximum, rules: document.devices,
            onFrame: { frame in
                application.enqueue(frame)
                application.drainEvents()
            },
            onEnd: { error in
                failure = error
                loop.stop()
            })
        player.start()
        application.run(on: loop)
        if let failure { throw failure }
    }
}
