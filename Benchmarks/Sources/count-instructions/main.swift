// Does a workload so many times, for valgrind to count:  count-instructions NAME TIMES. Without arguments: their names.
import Foundation
import Workloads

let arguments = CommandLine.arguments
guard arguments.count == 3, let workload = Workload.all.first(where: { $0.name == arguments[1] }),
    let times = Int(arguments[2])
else {
    for workload in Workload.all { print(workload.name) }
    exit(arguments.count == 1 ? 0 : 2)
}
let work = try workload.make()
for time in 0..<times { work(time) }
