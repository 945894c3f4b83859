// How late touches are while pages publish 2,000 views each, and how long a publication takes: touchd as a service in this
// process, clients on other threads, and a finger that taps every 2 ms.
import EventLoop
import Evdev
import Foundation
import Glibc
import Service
import TouchKit

let folder = FileManager.default.temporaryDirectory.appending(path: "bench-publish-\(getpid())").path
try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
let socketPath = "\(folder)/control", layout = "\(folder)/layout.yaml"
let slots = (0..<20).map {
    "  - {slot: {name: page-\($0), handlers: [touched]}, frame: [\($0 % 5 * 384), \($0 / 5 * 270), 384, 270]}"
}
try """
screen: {size: [1920, 1080]}
views:
  - {frame: [0, 0, 1920, 1080], on: {began: touched}}
\(slots.joined(separator: "\n"))

""".write(toFile: layout, atomically: true, encoding: .utf8)
chmod(layout, 0o600)

var options = DaemonOptions(layout: layout)
options.control = .path(socketPath)
let daemon = Daemon(options)
let finger = Finger(daemon.application)
daemon.handlers.register("touched") { _, _ in finger.touched() }
finger.start()

var rows: [String] = []
let clients = Thread { [path = socketPath] in
    while access(path, F_OK) != 0 { usleep(10_000) }
    let table = publishAll(finger, path)
    DispatchQueue.main.async {
        rows = table
        daemon.stop()
    }
}
clients.start()
try daemon.run()
try? FileManager.default.removeItem(atPath: folder)

print(
    "\n| publication | touches | delay p50 | p99 | longest | touchd's own work before it: p99 | longest "
        + "| in effect: median | longest |")
print("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
for row in rows { print(row) }
