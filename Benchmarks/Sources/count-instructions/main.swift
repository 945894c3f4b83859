// Does each workload, or those whose names begin with the argument, 300 times, and then 600 times for callgrind to count: run
// by bench-check.sh.
import CCallgrind

for workload in Workload.all + [ForwardedMove.workload] + Publication.workloads + WholePath.workloads
where CommandLine.arguments.count < 2 || workload.name.hasPrefix(CommandLine.arguments[1]) {
    let work = try workload.make()
    for time in 0..<300 { work(time) }
    callgrind_begin()
    for time in 300..<900 { work(time) }
    callgrind_end(workload.name)
}
