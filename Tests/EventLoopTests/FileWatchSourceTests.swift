import EventLoop
import Foundation
import Testing

@Suite("File watches")
struct FileWatchSourceTests {
    @Test("a file saved by replacement is reported through its directory, with its name")
    func replaced() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "watch-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let loop = try EpollRunLoop()
        var seen: [FileWatchSource.Change] = []
        let source = try FileWatchSource { change in
            seen.append(change)
            if change.events == .movedIn { loop.stop() }
        }
        try source.watch(folder.path, for: [.created, .movedIn])
        try loop.add(source)
        try Data("a".utf8).write(to: folder.appending(path: "layout.yaml.new"))
        try FileManager.default.moveItem(
            at: folder.appending(path: "layout.yaml.new"), to: folder.appending(path: "layout.yaml"))
        #expect(loop.run() == .stopped)
        #expect(
            seen == [
                .init(path: folder.path, name: "layout.yaml.new", events: .created),
                .init(path: folder.path, name: "layout.yaml", events: .movedIn),
            ])
    }

    @Test("the end of a watch is reported when its file is removed")
    func removed() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "watched-\(UUID().uuidString)")
        try Data().write(to: file)
        let loop = try EpollRunLoop()
        var seen: [FileWatchSource.Events] = []
        let source = try FileWatchSource { change in
            seen.append(change.events)
            if change.events == .ended { loop.stop() }
        }
        try source.watch(file.path, for: [.removed])
        try loop.add(source)
        try FileManager.default.removeItem(at: file)
        #expect(loop.run() == .stopped)
        #expect(seen == [.removed, .ended])
    }

    @Test("a path that does not exist is rejected with its name")
    func refused() throws {
        let source = try FileWatchSource { _ in }
        #expect(throws: SystemError(call: "inotify_add_watch(/nowhere/at/all)", errno: ENOENT)) {
            try source.watch("/nowhere/at/all")
        }
    }
}
