import EventLoop
import Layout

/// Reports that a file of a layout was changed, created, replaced or removed.
final class LayoutWatch {
    /// An editor's save consists of several changes within milliseconds.
    private static let pause = Duration.milliseconds(250)

    private let watch: FileWatchSource
    private let timer: RunLoopTimer

    /// Watches the folders of the files: an editor's save replaces a file, and a folder may be included.
    ///
    /// - Parameter changed: Called on the main thread, once for changes in quick succession.
    /// - Throws: If a folder cannot be watched.
    init(_ layout: LayoutSnapshot, loop: EpollRunLoop, changed: @escaping () -> Void) throws(SystemError) {
        let timer = RunLoopTimer(name: "touchd.layout-watch") { _ in changed() }
        let names = Set(layout.files.map(\.path))
        watch = try FileWatchSource { change in
            guard let name = change.name else { return }
            // Editors' temporary files have other endings, or begin with a dot.
            guard names.contains("\(change.path)/\(name)") || name.hasSuffix(".yaml") && !name.hasPrefix(".") else {
                return
            }
            timer.reschedule(after: Self.pause)
        }
        self.timer = timer
        for folder in layout.folders.sorted() { try watch.watch(folder) }
        try loop.add(watch)
        loop.add(timer)
    }

    isolated deinit {
        watch.invalidate()
        timer.invalidate()
    }
}
