import ControlProtocol
import Foundation
import Testing

@testable import Handlers
@testable import Network

/// The messages between touchd's outbox, the process that has the network and a broker, any of which may die, wait or
/// refuse at any time.
@Suite struct RandomOutboxTests {
    /// 4,000 runs by default; `make test-reference` sets more.
    private static let runs = ProcessInfo.processInfo.environment["TOUCHD_OUTBOX_RUNS"].flatMap(Int.init) ?? 4_000

    @Test("a message arrives or is named as given up, in order; one that must go once never goes twice")
    func model() {
        let problems = (0..<Self.runs).lazy.map { seed in
            var world = World(seed: UInt64(seed))
            for _ in 0..<world.random(20...200) { world.happen() }
            world.settle()
            return (seed, problems: world.problems)
        }.first { !$0.problems.isEmpty }
        #expect(problems == nil)
    }
}

/// The three, and the kernel's buffers between them. Time is the order of what happens.
private struct World {
    /// What the kernel holds of each direction.
    private static let room = 6

    private var state: UInt64
    // touchd
    private var outbox = Outbox()
    private var isConnected = false
    /// The messages of this run of touchd, by number, and of the runs before it.
    private var numbers: [Int: Int] = [:]
    // The kernel
    private var orders: [OutgoingMessage] = [], reports: [NetworkReport] = []
    // The process that has the network; it reports only to the run of touchd that sent a message.
    private var isAlive = false
    private var queue = MessageQueue<Held>()
    private var sent: [(number: Int32, message: Held)] = []
    private var lastNumber: Int32 = 0
    private var run = 0
    // The broker
    private var unread: [Held] = []
    private var confirmations: [Int32] = []
    private var isBrokerConnected = false

    private struct Held {
        let message: OutgoingMessage, run: Int
        var id: Int { Int(message.handler) ?? 0 }
        var isOnce: Bool { message.mqtt?.qos == 0 }
    }

    // What the rules are about, by the messages' identities.
    private var count = 0
    private var once: Set<Int> = [], poisonous: Set<Int> = []
    private var arrivals: [Int] = []
    private var confirmed: Set<Int> = [], given: Set<Int> = []
    /// Messages of a run of touchd that has ended, and those of them that the other process had got.
    private var orphans: Set<Int> = [], inherited: Set<Int> = []
    private(set) var problems: [String] = []

    init(seed: UInt64) { state = seed }

    /// A random number; Knuth's linear congruential generator, MMIX.
    mutating func random(_ range: ClosedRange<Int>) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return range.lowerBound + Int(state >> 33) % range.count
    }

    /// One random event.
    mutating func happen() {
        switch random(0...99) {
        case 0..<20: add()
        case 20..<95: work()
        case 95..<97: endBrokerConnection()
        case 97..<99: die()
        default: restartTouchd()
        }
    }

    /// Everything that can happen without a fault happens, until nothing is left.
    mutating func settle() {
        var rest = 100_000
        while outbox.count > 0 || !queue.isEmpty || !orders.isEmpty, rest > 0 {
            work()
            rest -= 1
        }
        if rest == 0 { problems.append("\(outbox.count) messages never got an outcome") }
        for id in 1...max(count, 1) where id <= count {
            let times = arrivals.count { $0 == id }
            if once.contains(id), times > 1 { problems.append("\(id) went twice") }
            if orphans.contains(id) {
                if inherited.contains(id), times == 0, !given.contains(id) { problems.append("\(id) was lost") }
                continue
            }
            if confirmed.contains(id) == given.contains(id) { problems.append("\(id) has no outcome, or two") }
            if confirmed.contains(id), times == 0, !once.contains(id) { problems.append("\(id) did not arrive") }
        }
        let first = arrivals.enumerated().filter { arrivals.firstIndex(of: $1) == $0 }.map(\.element)
        if first != first.sorted() { problems.append("the order is \(first)") }
    }

    // MARK: touchd

    private mutating func add() {
        count += 1
        let id = count
        let isOnce = random(0...3) == 0
        if isOnce { once.insert(id) }
        if random(0...19) == 0 { poisonous.insert(id) }
        let message = OutgoingMessage {
            $0.handler = "\(id)"
            $0.mqtt = MQTTMessage { ($0.broker, $0.qos) = ("b", isOnce ? 0 : 1) }
        }
        do throws(HandlerFailure) { try outbox.add(message, of: "h") } catch { return _ = given.insert(id) }
        numbers[numbers.count + 1] = id
    }

    private mutating func giveUp(_ entries: [Outbox.WaitingMessage]) {
        for entry in entries { given.insert(Int(entry.message.handler) ?? 0) }
    }

    private mutating func receive() {
        guard isConnected else { return }
        guard !reports.isEmpty else {
            // The end comes after all that was sent.
            if !isAlive { disconnect() }
            return
        }
        switch reports.removeFirst() {
        case .begun(let number): _ = outbox.begun(number)
        case .done(let done): for number in done { if let entry = outbox.ended(number) { confirm(entry) } }
        case .failed(let number, _): if let entry = outbox.ended(number) { giveUp([entry]) }
        default: break
        }
    }

    private mutating func confirm(_ entry: Outbox.WaitingMessage) { confirmed.insert(Int(entry.message.handler) ?? 0) }

    private mutating func disconnect() {
        isConnected = false
        giveUp(outbox.connectionEnded())
    }

    private mutating func restartTouchd() {
        let ids = numbers.values.filter { !confirmed.contains($0) && !given.contains($0) }
        orphans.formUnion(ids)
        if isAlive {
            // It reads what the kernel holds.
            for message in orders { queue.append(Held(message: message, run: run), isOnce: message.mqtt?.qos == 0) }
            inherited.formUnion(queue.messages.map(\.id).filter { orphans.contains($0) })
        }
        (outbox, numbers, orders, reports, isConnected) = (Outbox(), [:], [], [], false)
        run += 1
    }

    // MARK: The process that has the network

    private mutating func work() {
        switch random(0...6) {
        case 0:
            if !isAlive { isAlive = true } else if !isConnected, orders.isEmpty { isConnected = true }
        case 1:
            if isConnected, isAlive, orders.count < Self.room, let next = outbox.next {
                orders.append(next)
                outbox.didSend()
            }
        case 2: receive()
        case 3:
            if isAlive, !orders.isEmpty {
                let message = orders.removeFirst()
                queue.append(Held(message: message, run: run), isOnce: message.mqtt?.qos == 0)
            }
        case 4: if isAlive { pump() }
        case 5: if isAlive, !unread.isEmpty { arrive() }
        default: if isAlive, !confirmations.isEmpty { brokerConfirms() }
        }
    }

    /// Sends a report to the run of touchd that sent the message; returns whether there was room.
    private mutating func report(_ report: NetworkReport, of message: Held) -> Bool {
        guard message.run == run, isConnected else { return true }
        guard reports.count < Self.room else { return false }
        reports.append(report)
        return true
    }

    private mutating func pump() {
        isBrokerConnected = true
        while let next = queue.next {
            if next.isOnce, !report(.begun(next.message.number), of: next) { return }
            lastNumber += 1
            queue.sent(as: lastNumber)
            sent.append((lastNumber, next))
            unread.append(next)
        }
    }

    private mutating func arrive() {
        let message = unread.removeFirst()
        if poisonous.contains(message.id) { return endBrokerConnection() }
        arrivals.append(message.id)
        if let number = sent.last(where: { $0.message.id == message.id })?.number { confirmations.append(number) }
    }

    private mutating func brokerConfirms() {
        let number = confirmations.remove(at: random(0...confirmations.count - 1))
        guard let message = queue.confirm(number) else { return }
        sent.removeAll { $0.number == number }
        settle(.done([message.message.number]), message)
    }

    /// A report that has no room waits, and the process with it.
    private mutating func settle(_ report: NetworkReport, _ message: Held) {
        if case .failed = report, message.run != run { given.insert(message.id) }
        while !self.report(report, of: message) { receive() }
    }

    private mutating func endBrokerConnection() {
        guard isAlive, isBrokerConnected else { return }
        isBrokerConnected = false
        (sent, unread, confirmations) = ([], [], [])
        for (message, _) in queue.connectionEnded(byBroker: true) {
            settle(.failed(message.message.number, reason: ""), message)
        }
    }

    private mutating func die() {
        guard isAlive else { return }
        inherited = []
        (isAlive, isBrokerConnected, queue) = (false, false, MessageQueue())
        (orders, sent, unread, confirmations) = ([], [], [], [])
        // What it has sent is read before the end.
        while isConnected { receive() }
    }
}
