import EventLoop
import Evdev
import Foundation
import Testing
import TouchKit

@testable import ControlProtocol
@testable import Layout
@testable import Service
@testable import TestSupport
import TouchKitTesting

/// The Python that has python-osc.
private let osc = TouchdProgram.root.appending(path: ".build/python-osc/bin/python").path

/// TUIO bundles as python-osc reads them; `make python-osc` installs it.
@MainActor @Suite("TUIO output", .enabled(if: access(osc, X_OK) == 0, "needs python-osc (make python-osc)"))
final class TUIOTests {
    private let application = Application()
    private let loop: EpollRunLoop
    private let scene: Scene
    private let sender: TUIOSender
    private let receiver: Int32
    private var clock: Int64 = 1_000_000

    init() throws {
        loop = try EpollRunLoop()
        receiver = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | O_CLOEXEC | O_NONBLOCK, 0)
        let port = bindToLoopback(receiver)
        let document = try LayoutDocument(
            text: """
                screens: {left: {size: [1000, 500]}, right: {size: [100, 100]}}
                tuio: {port: \(port)}
                views:
                  - {id: map, frame: [0, 0, 500, 500], multiple-touch: true}
                  - id: edge
                    frame: [0, 0, 50, 500]
                    multiple-touch: true
                    gestures:
                      - {swipe: right, cancels-forwarded: true}
                  - id: patient
                    frame: [0, 450, 500, 50]
                    gestures: [{long-press: {}, delays-forwarded: true}]
                  - {id: service, frame: [450, 0, 50, 50], forward: false}
                  - {id: pin, frame: [500, 0, 500, 500], private: true, views: [{id: key, frame: [0, 0, 500, 500]}]}
                """, file: "kiosk.yaml", handlers: [])
        scene = Scene(document, application: application) { _, _ in }
        scene.activate()
        sender = try TUIOSender(#require(document.tuio), scene: scene, loop: loop, after: nil)
        let socket = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | O_CLOEXEC | O_NONBLOCK, 0)
        _ = withLoopback(port: port) { Foundation.connect(socket, $0, $1) }
        sender.send(through: PassedDescriptor(socket))
        application.setScreen(scene.windows[0].screen, for: DeviceID(rawValue: 1))
        application.setScreen(scene.windows[1].screen, for: DeviceID(rawValue: 2))
        application.observers = [sender]
    }

    deinit { close(receiver) }

    private func send(_ contacts: (Contact.Phase, Double, Double, UInt32)..., device: UInt32 = 1) {
        clock += 10_000
        application.enqueue(
            InputFrame(
                device: DeviceID(rawValue: device), timestamp: InputTimestamp(microseconds: clock),
                contacts: contacts.map { Contact(id: $0.3, phase: $0.0, position: SurfacePoint(x: $0.1, y: $0.2)) }))
        application.drainEvents()
        sender.flush()
    }

    /// The bundles that have arrived; each message is its parts, numbers with three decimals.
    private func bundles() throws -> [[[String]]] {
        var lines = ""
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while case let count = recv(receiver, &bytes, bytes.count, 0), count > 0 {
            lines += bytes[..<count].map { String(format: "%02x", $0) }.joined() + "\n"
        }
        let folder = try TemporaryFolder()
        let outcome = try TouchdProgram.run(
            ["Tests/SystemTests/Support/decode-osc.py"], input: folder.file("bundles", lines), program: osc)
        try #require(outcome.status == 0)
        return try outcome.lines.map { line in
            let messages = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [[Any]]
            return try #require(messages).map { message in
                message.map { part in
                    if let text = part as? String { return text }
                    return String(format: "%.3f", (part as? NSNumber)?.doubleValue ?? .nan)
                }
            }
        }
    }

    @Test("a bundle has source, alive, set and fseq; positions are parts of the screen, velocities screens per second")
    func cursors() throws {
        send((.began, 0.25, 0.5, 1))
        send((.moved, 0.26, 0.52, 1), (.began, 0.1, 0.1, 2))
        send((.ended, 0.26, 0.52, 1))
        send((.cancelled, 0.1, 0.1, 2))
        let bundles = try bundles()
        #expect(bundles.allSatisfy { $0.allSatisfy { $0[0] == "/tuio/2Dcur" } })
        let messages = bundles.map { $0.map { Array($0.dropFirst()) } }
        #expect(messages.allSatisfy { $0[0][0] == "source" && $0[0][1].hasPrefix("touchd-left@") })
        #expect(
            messages.map { Array($0.dropFirst()) } == [
                [
                    ["alive", "1.000"], ["set", "1.000", "0.250", "0.500", "0.000", "0.000", "0.000"],
                    ["fseq", "1.000"],
                ],
                [
                    ["alive", "1.000", "2.000"],
                    ["set", "1.000", "0.260", "0.520", "1.000", "2.000", "223.607"],
                    ["set", "2.000", "0.100", "0.100", "0.000", "0.000", "0.000"], ["fseq", "2.000"],
                ],
                [
                    ["alive", "2.000"], ["set", "2.000", "0.100", "0.100", "0.000", "0.000", "0.000"],
                    ["fseq", "3.000"],
                ],
                [["alive"], ["fseq", "4.000"]],
            ])
    }

    @Test("touches in a private view are not sent")
    func privacy() throws {
        send((.began, 0.75, 0.5, 1))
        send((.moved, 0.2, 0.5, 1))
        send((.ended, 0.2, 0.5, 1))
        #expect(try bundles().isEmpty)
    }

    /// The ids in each bundle's `alive`.
    private func alive() throws -> [[String]] {
        try bundles().map { $0.first { $0[1] == "alive" }.map { Array($0.dropFirst(2)) } ?? [] }
    }

    @Test("a touch that forward keeps for touchd is not sent, nor one that the forwarder kept")
    func kept() throws {
        send((.began, 0.46, 0.05, 1))
        send((.moved, 0.2, 0.5, 1))
        #expect(try bundles().isEmpty)
        application.beforeDelivery { event in
            for touch in event.touches where touch.phase == .began { touch.forwarding = .kept(.idle) }
        }
        send((.began, 0.2, 0.5, 2))
        #expect(try bundles().isEmpty)
    }

    @Test("a touch that a gesture takes back leaves alive")
    func takenBack() throws {
        send((.began, 0.01, 0.5, 1), (.began, 0.2, 0.5, 2))
        for x in [0.1, 0.2, 0.3] { send((.moved, x, 0.5, 1)) }
        let told = try alive()
        #expect(told.first == ["1.000", "2.000"] && told.last == ["2.000"])
        send((.ended, 0.3, 0.5, 1))
        #expect(try alive() == [])
    }

    @Test("a touch that a gesture delays is sent after the gesture has failed, also after its lift")
    func delayed() throws {
        send((.began, 0.2, 0.95, 1))
        send((.moved, 0.2, 0.95, 1))
        #expect(try alive() == [])
        send((.ended, 0.2, 0.95, 1))
        #expect(try alive() == [["1.000"], []])
    }

    @Test("each screen has its own source and frames")
    func screens() throws {
        send((.began, 0.1, 0.1, 1))
        send((.began, 0.5, 0.9, 1), device: 2)
        let bundles = try bundles()
        #expect(bundles.map { $0[0][2].prefix { $0 != "@" } } == ["touchd-left", "touchd-right"])
        #expect(
            bundles.map { $0.last ?? [] } == [["/tuio/2Dcur", "fseq", "1.000"], ["/tuio/2Dcur", "fseq", "1.000"]])
    }

    @Test("a touch that begins and ends in one report is seen, and all end when the output does")
    func ends() throws {
        send((.began, 0.1, 0.1, 1), (.ended, 0.1, 0.1, 1))
        send((.began, 0.1, 0.1, 2))
        sender.finish()
        #expect(try alive() == [["1.000"], [], ["2.000"], []])
    }

    @Test("nothing fails, and nothing waits, without a socket")
    func noReader() throws {
        let unused = TUIOSender(TUIOSpec(), scene: scene, loop: loop, after: nil)
        application.observers = [unused]
        for _ in 0..<1000 {
            send((.began, 0.1, 0.1, 1))
            unused.flush()
            send((.ended, 0.1, 0.1, 1))
            unused.flush()
        }
    }
}
