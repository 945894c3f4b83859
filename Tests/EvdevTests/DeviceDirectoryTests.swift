import EventLoop
import Foundation
import Testing

@testable import Evdev

@Suite("The nodes in /dev/input, without udevd")
struct DeviceDirectoryTests {
    @Test("A directory that cannot be read is tried again")
    func retried() throws {
        let parent = FileManager.default.temporaryDirectory.appending(path: "touchd-\(UUID().uuidString.prefix(8))")
        let input = parent.appending(path: "input"), ready = parent.appending(path: "ready")
        try FileManager.default.createDirectory(at: ready, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: parent) }
        for number in [10, 9] { try Data().write(to: ready.appending(path: "event\(number)")) }
        // Not a directory: an error of opendir that no change of the parent announces.
        try Data().write(to: input)

        let loop = try EpollRunLoop()
        var found: [String] = []
        let directory = try DeviceDirectory(path: input.path, loop: loop) { path, isPresent in
            found.append("\(path.dropFirst(parent.path.count)) \(isPresent)")
            if found.count == 2 { loop.stop() }
        }
        #expect(directory.watchNodes() == [])
        try FileManager.default.removeItem(at: input)
        try FileManager.default.moveItem(at: ready, to: input)
        // Only a failure reaches this limit.
        let limit = RunLoopTimer(name: "limit", after: .seconds(600)) { _ in loop.stop() }
        loop.add(limit)
        loop.run()
        #expect(found == ["/input/event9 true", "/input/event10 true"])

        found = []
        #expect(directory.watchNodes().count == 2)
        try Data().write(to: input.appending(path: "event11"))
        try FileManager.default.removeItem(at: input.appending(path: "event9"))
        loop.run()
        #expect(found == ["/input/event11 true", "/input/event9 false"])
        limit.invalidate()
    }
}
