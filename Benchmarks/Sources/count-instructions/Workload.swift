import EventLoop
import Evdev
import Foundation
import Glibc
import TouchKit

/// Work that runs `count` times, to count the instructions of one run.
struct Workload {
    /// The row's title in the table.
    let name: String
    /// Sets the work up, and answers what does it once.
    let make: @MainActor () throws -> @MainActor (Int) -> Void

    /// All of it, in the order in which it is counted.
    static let all: [Workload] =
        [
            hit(.flat, 10), hit(.flat, 10_000), hit(.nested, 10_000), hit(.overlapping, 10_000),
            hit(.transformed, 10_000), move(.flat, 10_000),
        ] + [
            Workload(name: "moved, 1 finger, panning") { moved(fingers: 1) },
            Workload(name: "moved, 10 fingers, panning") { moved(fingers: 10) },
            Workload(name: "moved, 1 finger, undecided", make: movedUndecided),
            Workload(name: "moved, 1 finger, panning, steadied") {
                moved(fingers: 1) { Accommodations(.init(ignoreRepeat: 0.5, steady: 20), application: $0.application) }
            },
            Workload(name: "moved, 1 finger, exploring, 1000 views") {
                moved(fingers: 1, siblings: 1000) {
                    Exploring(on: $0.screen, of: $0.application) { _ in }
                }
            },
            Workload(name: "began and ended, 1000 views") {
                let fingers = Fingers(siblings: 1000)
                return { _ in
                    let contacts = fingers.newContacts(1)
                    fingers.send(fingers.frame(contacts, .began, step: 0))
                    fingers.send(fingers.frame(contacts, .ended, step: 0, after: 2_000_000))
                }
            },
            Workload(name: "decode, 2 fingers, a frame", make: decode),
            Workload(name: "loop, a descriptor's callback", make: pingPong),
        ]

    private static func hit(_ kind: Layout.Kind, _ count: Int) -> Workload {
        Workload(name: "hit, \(kind), \(count) views") {
            let layout = Layout(kind, count: count)
            let (root, _) = layout.views()
            let points = layout.points.map { CGPoint(x: $0.x, y: $0.y) }
            return { _ = root.hitTest(points[$0 % points.count], with: nil) }
        }
    }

    private static func move(_ kind: Layout.Kind, _ count: Int) -> Workload {
        Workload(name: "move and hit, \(kind), \(count) views") {
            let layout = Layout(kind, count: count)
            let (root, views) = layout.views()
            let points = layout.points.map { CGPoint(x: $0.x, y: $0.y) }
            return { step in
                views[step * 7919 % views.count].center.x += step.isMultiple(of: 2) ? 1 : -1
                _ = root.hitTest(points[step % points.count], with: nil)
            }
        }
    }

    private static func moved(
        fingers count: Int, siblings: Int = 0, filter: (Fingers) -> (any InputFilter)? = { _ in nil }
    ) -> @MainActor (Int) -> Void {
        let fingers = Fingers(siblings: siblings)
        fingers.application.inputFilters = filter(fingers).map { [$0] } ?? []
        let contacts = fingers.newContacts(count)
        fingers.send(fingers.frame(contacts, .began, step: 0))
        fingers.beginPan(contacts)
        return { fingers.send(fingers.frame(contacts, .moved, step: $0)) }
    }

    /// A finger that goes too little for a pan, in frames so near to each other that no time runs out for the others.
    private static func movedUndecided() -> @MainActor (Int) -> Void {
        let fingers = Fingers()
        let contacts = fingers.newContacts(1)
        fingers.send(fingers.frame(contacts, .began, step: 0))
        return { fingers.send(fingers.frame(contacts, .moved, step: $0, after: 100)) }
    }

    /// A recording of two fingers in memory, decoded again and again.
    private static func decode() throws -> @MainActor (Int) -> Void {
        let folder = "Tests/EvdevTests/Recordings/edt-ep0430m09/EP0430M09"
        var reader = try RecordingReader(
            path: "\(folder).2-finger-scroll-down.events", description: "\(folder).desc")
        let device = DeviceID(rawValue: 1)
        let description = reader.description
        var events: [InputEvent] = []
        while let event = try reader.next() { events.append(event) }
        let box = DecoderBox(Decoder(device: device, description: description, role: DeviceRole(description)))
        var place = 0
        var frame = InputFrame(device: device, timestamp: InputTimestamp(microseconds: 0))
        return { _ in
            var isReported = false
            while !isReported {
                let event = events[place]
                place = (place + 1) % events.count
                isReported = event.type == 0
                box.decoder.feed(event)
                while box.decoder.nextFrame(into: &frame) {}
            }
        }
    }

    /// A descriptor that is always ready, in one pass of the loop after another.
    private static func pingPong() throws -> @MainActor (Int) -> Void {
        let loop = try EpollRunLoop()
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0, write(ends[1], "x", 1) == 1 else { throw CocoaError(.fileReadUnknown) }
        var calls = 0
        let source = DescriptorSource(name: "ready", descriptor: ends[0]) { _ in calls += 1 }
        try loop.add(source, to: .default)
        return { _ in _ = loop.run(mode: .default, until: .now, returnAfterSourceHandled: true) }
    }
}

/// Holds a decoder, which cannot be copied, for a closure.
private final class DecoderBox {
    var decoder: Decoder
    init(_ decoder: consuming Decoder) { self.decoder = decoder }
}
