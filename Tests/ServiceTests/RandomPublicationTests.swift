@testable import ControlProtocol
import Foundation
import Testing

@testable import Layout
@testable import Service

/// Random requests, touches, reloads and ends of connections, with random passes of the loop and of the worker between
/// them, against what a slot may hold.
@Suite("Random publications") final class RandomPublicationTests {
    /// A request and the answer to it.
    private struct Request {
        var id: Int
        var slot: String
        /// The list; nil for moved views.
        var list: [String: CGRect]?
        var moved: [String: CGRect] = [:]
        var answer: String?
    }

    /// A client, its requests in order, and how many are answered.
    private final class Client {
        let socket: RawClient
        var requests: [Request] = []
        var answered = 0

        init(_ socket: RawClient) { self.socket = socket }
    }

    private static func layout(_ height: Int, others: Bool) -> String {
        """
        screen: {size: [1000, 1000]}
        views:
          - {id: behind, frame: [0, 0, 1000, 1000]}
          - {slot: page, frame: [0, 0, 1000, \(height)]}
        \(others ? "  - {slot: other, frame: [0, 500, 1000, 500]}" : "")
        """
    }

    private let stage: SlotStage
    private var clients: [Client] = []
    private var lists: [Int: Request] = [:]
    private var seed = UInt64.random(in: 0...UInt64.max)
    private let first: UInt64
    private var number = 0
    private var newest: [String: [ObjectIdentifier: Int]] = [:]
    private var open: [String: Int] = [:], began = 0

    init() throws {
        first = seed
        stage = try SlotStage(Self.layout(500, others: true))
    }

    private func next(_ bound: Int) -> Int {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(seed >> 33) % bound
    }

    /// Touches, gestures and held controls end once.
    @Test("a slot holds one whole list, the newest; ids are unique; answers come once, in order; what begins ends once")
    func random() throws {
        stage.host.slots.beginSlice = { [unowned self] in
            var left = next(5)
            return {
                left -= 1
                return left > 0
            }
        }
        let watcher = stage.connect()
        _ = stage.send(#"{"request":"subscribe","to":["touches","gestures","controls"],"moves":true}"#, to: watcher)
        var down: Set<UInt32> = []
        for step in 0..<3000 {
            switch next(16) {
            case 0 where clients.count < 4: clients.append(Client(RawClient(path: stage.socketPath)))
            case 1 where !clients.isEmpty && next(3) == 0: clients.remove(at: next(clients.count))
            case 2, 3, 4: publish()
            case 5: move()
            case 6 where next(4) == 0:
                try stage.reload(Self.layout(400 + 100 * next(2), others: next(3) > 0))
            case 7, 8: _ = stage.worker.performNext()
            case 9 where next(6) == 0: settle(step)
            case 10, 11:
                let id = UInt32(next(3) + 1), x = Double(next(1000)), y = Double(next(1000))
                if down.insert(id).inserted {
                    stage.finger(.began, x, y, id: id, settles: false)
                } else if next(3) > 0 {
                    stage.finger(.moved, x, y, id: id, settles: false)
                } else {
                    down.remove(id)
                    stage.finger(next(4) == 0 ? .cancelled : .ended, x, y, id: id, settles: false)
                }
            default: stage.pass()
            }
            check(step)
            count(watcher)
        }
        settle(3000)
        clients = []
        settle(3001)
        for id in down { stage.finger(.ended, 0, 0, id: id) }
        count(watcher)
        #expect(open.values.allSatisfy { $0 == 0 }, "seed \(first): \(open.filter { $0.value != 0 })")
        #expect(began > 50 && stage.host.slots.isEmpty, "seed \(first)")
    }

    // MARK: Requests

    private func publish() {
        guard !clients.isEmpty else { return }
        let client = clients[next(clients.count)], slot = ["page", "other"][next(2)]
        number += 1
        var entries: [String] = [], frames: [String: CGRect] = [:]
        let isAgain = next(4) == 0
        if isAgain, let last = client.requests.last(where: { $0.list != nil && $0.slot == slot })?.list {
            // Sorted, so that an equal list has equal bytes.
            for id in last.keys.sorted() { entries.append(entry(id, last[id] ?? .zero)) }
            frames = last
        } else {
            // A few ids, so that lists have views in common and slots have conflicts.
            for id in Set((0..<next(9)).map { _ in "v\(next(12))" }).sorted() {
                let frame = CGRect(x: next(5) * 200, y: next(2) * 200, width: 200, height: 200)
                entries.append(entry(id, frame))
                frames[id] = frame
            }
        }
        if next(12) == 0 { entries.append(entry("behind", .zero)) }
        let request = Request(id: number, slot: slot, list: frames)
        lists[number] = request
        client.requests.append(request)
        let views = entries.joined(separator: ","), publisher = #""publisher": "\#(number)", "id": \#(number)"#
        client.socket.write(line: #"{"request": "views", "slot": "\#(slot)", \#(publisher), "views": [\#(views)]}"#)
    }

    private func entry(_ id: String, _ frame: CGRect) -> String {
        let kinds = [
            #""control": "button""#, #""control": "toggle", "enabled": false"#, #""control": "repeat""#,
            #""gestures": ["pan", "pinch", "long-press"], "multiple-touch": true"#,
        ]
        // A view may come again as another kind, and an equal list has equal views.
        let kind = kinds[(abs(id.hash) + Int(frame.minX) / 200) % kinds.count]
        return #"{"id": "\#(id)", "frame": [\#(numbers(frame))], \#(kind)}"#
    }

    private func numbers(_ frame: CGRect) -> String {
        "\(Int(frame.minX)), \(Int(frame.minY)), \(Int(frame.width)), \(Int(frame.height))"
    }

    private func move() {
        guard !clients.isEmpty else { return }
        let client = clients[next(clients.count)], id = "v\(next(12))"
        let frame = CGRect(x: next(800), y: next(300), width: 100, height: 100)
        number += 1
        client.requests.append(Request(id: number, slot: "", moved: [id: frame]))
        client.socket.write(line: #"{"request": "move", "frames": {"\#(id)": [\#(numbers(frame))]}, "id": \#(number)}"#)
    }

    // MARK: Rules

    /// What holds at every moment.
    private func check(_ step: Int) {
        guard let scene = stage.layout.scene else { return }
        var seen: Set<String> = ["behind"]
        for slot in scene.allSlots {
            let ids = slot.content.subviews.compactMap(\.accessibilityIdentifier)
            #expect(ids.count == slot.content.subviews.count && ids.count == slot.viewCount, "\(step), seed \(first)")
            for id in ids {
                #expect(seen.insert(id).inserted, "\(id) twice, \(step), seed \(first)")
                #expect(scene.view(withIdentifier: id).map { scene.slot(of: $0) === slot } == true, "seed \(first)")
            }
            guard let number = slot.publisher.flatMap({ Int($0) }), let list = lists[number]?.list else {
                #expect(ids.isEmpty && slot.publisher == nil, "\(step), seed \(first)")
                continue
            }
            #expect(Set(ids) == Set(list.keys), "not one whole list, \(step), seed \(first)")
            guard let owner = slot.owner else { continue }
            let before = newest[slot.name]?[ObjectIdentifier(owner)] ?? 0
            #expect(number >= before, "an older list, \(step), seed \(first)")
            newest[slot.name, default: [:]][ObjectIdentifier(owner)] = number
        }
        for client in clients {
            for line in client.socket.lines().map(ProtocolLine.init) where line["event"] == nil {
                let index = client.answered
                guard index < client.requests.count else {
                    Issue.record("an answer too many, seed \(first)")
                    return
                }
                #expect(line["id"] == "\(client.requests[index].id)", "\(step), seed \(first)")
                client.requests[index].answer =
                    line.members["error"].flatMap { $0["code"]?.string } ?? "ok"
                client.answered += 1
            }
        }
    }

    /// What holds when nothing is left to do.
    private func settle(_ step: Int) {
        stage.settle()
        check(step)
        newest = [:]
        guard let scene = stage.layout.scene else { return }
        #expect(stage.host.slots.isIdle, "seed \(first)")
        #expect(scene.discarded.isEmpty && stage.host.server?.holdsRequests == false, "seed \(first)")
        for client in clients {
            #expect(client.answered == client.requests.count, "\(step), seed \(first)")
        }
        for slot in scene.allSlots {
            guard let number = slot.publisher.flatMap({ Int($0) }) else { continue }
            // The owner is connected, and its newest accepted list is there with the frames that it has moved since.
            let owner = clients.first { $0.requests.contains { $0.id == number } }
            guard let owner else {
                Issue.record("a slot of a client that is gone, \(step), seed \(first)")
                continue
            }
            let accepted = owner.requests.filter { $0.slot == slot.name && $0.answer == "ok" }
            #expect(accepted.last?.id == number, "\(step), seed \(first)")
            var frames = lists[number]?.list ?? [:]
            for request in owner.requests where request.id > number && request.answer == "ok" {
                for (id, frame) in request.moved where frames[id] != nil { frames[id] = frame }
            }
            for view in slot.content.subviews {
                #expect(
                    view.frame == frames[view.accessibilityIdentifier ?? ""],
                    "\(view.accessibilityIdentifier ?? ""), \(step), seed \(first)")
            }
        }
    }

    private func count(_ watcher: RawClient) {
        for line in watcher.lines().map(ProtocolLine.init) {
            let change =
                switch line["phase"] ?? line["trigger"] ?? line["control"] {
                case "began", "held": 1
                case "ended", "cancelled", "released": -1
                default: 0
                }
            let name = line[line["event"] == "touch" ? "touch" : "view"]
            let key = "\(line["event"] ?? "") \(line["gesture"] ?? "") \(name ?? "")"
            began += max(change, 0)
            open[key, default: 0] += change
            #expect((0...1).contains(open[key] ?? 0), "\(key), seed \(first)")
        }
    }
}
