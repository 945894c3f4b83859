import CLinux
import ControlProtocol
import EventLoop
import Evdev
import Foundation
import Glibc
import Handlers
import Layout
import Logging
import Outputs
import Service
import TouchKit

/// A touch through the whole service: from the panel's events, as read, to the last handler and the journal's socket.
enum WholePath {
    static let workloads = [
        Workload(name: "service, journal and pan, 1 finger moved") { try moved(fingers: 1) },
        Workload(name: "service, journal and pan, 10 fingers moved") { try moved(fingers: 10) },
        Workload(name: "service, one subscriber, 1 finger moved") { try moved(fingers: 1, subscribers: 1) },
        Workload(name: "service, eleven subscribers, 1 finger moved") { try moved(fingers: 1, subscribers: 11) },
        Workload(name: "service, journal, tap") {
            let service = try BenchService(view: "{id: door, frame: [0, 0, 1920, 1080], control: button}")
            return { step in
                service.panel.feed(down(0, at: 20_000, id: Int32(step + 1)))
                service.panel.feed([(ABS_MT_TRACKING_ID, -1)])
                service.emptyOutputs()
            }
        },
    ]

    private static func moved(fingers: Int32, subscribers: Int = 0) throws -> @MainActor (Int) -> Void {
        let service = try BenchService(
            view: "{id: map, frame: [0, 0, 1920, 1080], multiple-touch: true, gestures: [{pan: {}, id: drag}]}",
            subscribers: subscribers)
        service.panel.feed((0..<fingers).flatMap { down($0, at: 10_000 + 4000 * $0, id: $0 + 1) })
        return { step in
            service.panel.feed(
                (0..<fingers).flatMap {
                    [(ABS_MT_SLOT, $0), (ABS_MT_POSITION_X, 10_000 + 4000 * $0 + 40 * Int32(step % 500))]
                })
            service.emptyOutputs()
        }
    }

    private static func down(_ slot: Int32, at x: Int32, id: Int32) -> [(code: Int32, value: Int32)] {
        [(ABS_MT_SLOT, slot), (ABS_MT_TRACKING_ID, id), (ABS_MT_POSITION_X, x), (ABS_MT_POSITION_Y, 30_000)]
    }
}

/// The service's path of events with a layout, and a socket in the place of journald's.
private final class BenchService {
    let panel: Panel
    private let observers: TouchObservers
    private let scene: Scene
    private let journal: Int32
    private let clients: [BenchClient]
    private var entry = [UInt8](repeating: 0, count: 4096)

    init(view: String, subscribers: Int = 0) throws {
        clients = (0..<subscribers).map { _ in BenchClient() }
        let name = "/tmp/touchd-bench-\(getpid())-\(UUID().uuidString)"
        journal = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | O_NONBLOCK | O_CLOEXEC, 0)
        let journal = self.journal
        guard let address = LocalAddress(name), address.withSockaddr({ bind(journal, $0, $1) }) == 0 else {
            throw CocoaError(.fileWriteUnknown)
        }
        let (application, loop) = (Application(), try EpollRunLoop())
        let context = DaemonContext(
            DaemonOptions(output: .journal), application: application, loop: loop,
            logger: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() })
        let listeners = Listeners(context, journal: JournalSender(loop: loop, path: name))
        _ = listeners.start(hasClients: true)
        for client in clients { listeners.subscribers.add(client.subscriber) }
        observers = TouchObservers(
            context, forwarder: PanelForwarder(loop: loop) { _, _ in },
            reporter: EventReporter(context, listeners: listeners))
        let document = try LayoutDocument(
            text: "screen: {size: [1920, 1080]}\nviews: [\(view)]\n", file: "layout.yaml", handlers: [])
        scene = Scene(document, application: application) { _, _ in }
        scene.activate()
        observers.follow(document, scene)
        panel = Panel(application)
        application.setScreen(scene.windows[0].screen, for: panel.info.id)
        // The socket stays; its name is not needed once it is connected.
        panel.feed([(ABS_MT_TRACKING_ID, 1), (ABS_MT_POSITION_X, 1), (ABS_MT_POSITION_Y, 1)])
        panel.feed([(ABS_MT_TRACKING_ID, -1)])
        unlink(name)
    }

    /// Reads what was sent to the journal and to the clients.
    func emptyOutputs() {
        while recv(journal, &entry, entry.count, Int32(MSG_DONTWAIT)) > 0 {}
        for client in clients { client.output.drain { $0.count } }
    }
}

/// A client that wants the moves of touches; its output is kept as that of a client of the control socket.
private final class BenchClient {
    private(set) lazy var subscriber = Subscriber(self) { [unowned self] in output.append($0) }
    var output = StreamBuffer(capacity: 256 * 1024) { _ in [] }

    init() { (subscriber.topics, subscriber.wantsMoves) = (.touches, true) }
}
