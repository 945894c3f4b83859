import CPeers
import Foundation

var repetitions = 41
var rowFilter = ""
var only: [String] = []
var fixedRounds: UInt64?
var arguments = Array(CommandLine.arguments.dropFirst())
while !arguments.isEmpty {
    let option = arguments.removeFirst()
    guard !arguments.isEmpty else {
        print("usage: bench-runloop [--repetitions N] [--row TEXT] [--only NAME,NAME] [--rounds N]")
        exit(2)
    }
    let value = arguments.removeFirst()
    switch option {
    case "--repetitions": repetitions = Int(value) ?? repetitions
    case "--row": rowFilter = value
    case "--only": only = value.split(separator: ",").map(String.init)
    case "--rounds": fixedRounds = UInt64(value)
    default: fatalError("unknown option \(option)")
    }
}

// 10,000 descriptors, and what Foundation and libdispatch keep besides.
var limit = rlimit(rlim_cur: 40_000, rlim_max: 40_000)
if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) != 0 {
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
}

let contenders = [
    Contender.bareEpoll(), .epollRunLoop(), Contender(libuv, edge: false), Contender(libev, edge: false),
    Contender(libevent, edge: true), Contender(systemd, edge: true), Contender(glib, edge: false), .foundation(),
].filter { only.isEmpty || only.contains($0.name) }

let table = Table(contenders: contenders.map(\.name))
for row in Row.all where rowFilter.isEmpty || row.name.contains(rowFilter) {
    var plans: [(rounds: UInt64, isSlow: Bool)?] = []
    for contender in contenders {
        plans.append(fixedRounds.map { ($0, false) } ?? row.calibrate(contender, to: 3_000_000))
    }
    var samples: [[Double?]] = []
    for _ in 0..<repetitions {
        var times = [Double?](repeating: nil, count: contenders.count)
        for index in contenders.indices.shuffled() {
            guard let plan = plans[index], !(plan.isSlow && samples.count > 0) else { continue }
            times[index] = row.measure(contenders[index], rounds: plan.rounds)
        }
        samples.append(times)
    }
    table.printRow(row.name, repetitions: samples)
}
if rowFilter.isEmpty || "wake-up from another thread".contains(rowFilter) {
    printWakeUps(contenders, repetitions: repetitions, table)
}
if rowFilter.isEmpty || "async hop".contains(rowFilter) { printAsyncHops(repetitions: repetitions) }
