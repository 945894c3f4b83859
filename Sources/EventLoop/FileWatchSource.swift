import CLinux
import Glibc

/// Calls a handler when watched files or directories change, by inotify(7).
///
/// To follow a file that editors replace, watch its directory for `written` and `movedIn` and compare the name, because
/// each save creates a new file. inotify does not report remote changes on a network file system, nor changes in /proc
/// and /sys.
///
/// ```swift
/// let folder = try FileWatchSource { change in print(change.name ?? change.path, "changed") }
/// try folder.watch("/etc/kiosk")
/// try loop.add(folder)
/// ```
public final class FileWatchSource: DescriptorBacked {
    /// Changes of a watched file or directory.
    ///
    /// The bits are inotify's.
    public struct Events: OptionSet, Sendable, Hashable {
        /// inotify's bits.
        public let rawValue: UInt32

        /// Creates a set from inotify's bits.
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// It was open for writing and was closed (`IN_CLOSE_WRITE`).
        public static let written = Events(rawValue: UInt32(IN_CLOSE_WRITE))
        /// Its permissions, owner, times or links changed (`IN_ATTRIB`).
        public static let attributes = Events(rawValue: UInt32(IN_ATTRIB))
        /// A name was created in the directory (`IN_CREATE`).
        public static let created = Events(rawValue: UInt32(IN_CREATE))
        /// A name was removed from the directory (`IN_DELETE`).
        public static let deleted = Events(rawValue: UInt32(IN_DELETE))
        /// A name was moved into the directory (`IN_MOVED_TO`).
        public static let movedIn = Events(rawValue: UInt32(IN_MOVED_TO))
        /// A name was moved out of the directory (`IN_MOVED_FROM`).
        public static let movedOut = Events(rawValue: UInt32(IN_MOVED_FROM))
        /// The watched file or directory itself was removed (`IN_DELETE_SELF`).
        public static let removed = Events(rawValue: UInt32(IN_DELETE_SELF))
        /// The watched file or directory itself was moved (`IN_MOVE_SELF`).
        public static let moved = Events(rawValue: UInt32(IN_MOVE_SELF))
        /// The watch of this path has ended (`IN_IGNORED`); always reported.
        public static let ended = Events(rawValue: UInt32(IN_IGNORED))
        /// Changes were lost: check everything again (`IN_Q_OVERFLOW`).
        ///
        /// Always reported, with an empty path.
        public static let overflowed = Events(rawValue: UInt32(IN_Q_OVERFLOW))
        /// All changes to the content of a file, or of the files in a directory, for every way of saving.
        public static let content: Events = [.written, .created, .deleted, .movedIn, .movedOut, .removed, .moved]
    }

    /// One change.
    public struct Change: Sendable, Hashable {
        /// The path as passed to `watch(_:for:)`.
        public let path: String
        /// The name in that directory; nil if the watched file or directory itself changed.
        public let name: String?
        /// The reported events.
        public let events: Events

        /// Creates a change.
        public init(path: String, name: String?, events: Events) {
            self.path = path
            self.name = name
            self.events = events
        }
    }

    /// The source that watches the inotify descriptor.
    public let descriptorSource: DescriptorSource

    private let watches: Watches

    /// Creates a source without watches.
    ///
    /// - Parameter handler: Called on the loop's thread for each change, in the kernel's order.
    /// - Throws: If no inotify instance (`max_user_instances`) or no descriptor is left.
    public init(handler: @escaping (Change) -> Void) throws(SystemError) {
        let watches = try Watches()
        self.watches = watches
        descriptorSource = DescriptorSource(name: "file watch", descriptor: watches.descriptor) { _ in
            watches.read(handler)
        }
    }

    deinit { descriptorSource.invalidate() }

    /// Watches a file or directory; a second call for the same one replaces its events.
    ///
    /// - Throws: If the file does not exist or may not be read, or if no watch is left (`max_user_watches`).
    public func watch(_ path: String, for events: Events = .content) throws(SystemError) {
        try watches.add(path, events)
    }

    /// Stops watching a path; changes that the kernel has already reported may still arrive, `ended` last.
    public func stopWatching(_ path: String) { watches.remove(path) }

    /// Invalidates the source permanently.
    public func invalidate() { descriptorSource.invalidate() }
}

/// Owns an inotify descriptor and the paths of its watches.
private final class Watches {
    let descriptor: Int32
    private var paths: [Int32: String] = [:]

    init() throws(SystemError) {
        descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        if descriptor < 0 { throw .last("inotify_init1") }
    }

    deinit { close(descriptor) }

    func add(_ path: String, _ events: FileWatchSource.Events) throws(SystemError) {
        let watch = inotify_add_watch(descriptor, path, events.rawValue)
        if watch < 0 { throw .last("inotify_add_watch(\(path))") }
        paths[watch] = path
    }

    func remove(_ path: String) {
        for (watch, watched) in paths where watched == path { inotify_rm_watch(descriptor, watch) }
    }

    func read(_ handler: (FileWatchSource.Change) -> Void) {
        // Room for at least one event with the longest name (inotify(7)).
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: MemoryLayout<inotify_event>.alignment) { buffer in
            while true {
                let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                if count <= 0 { return }
                deliver(UnsafeRawBufferPointer(rebasing: buffer[..<count]), handler)
            }
        }
    }

    private func deliver(_ buffer: UnsafeRawBufferPointer, _ handler: (FileWatchSource.Change) -> Void) {
        var offset = 0
        while offset < buffer.count {
            let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
            let start = offset + MemoryLayout<inotify_event>.size
            offset = start + Int(event.len)
            // The kernel pads the name with zeros.
            let name = String(decoding: buffer[start..<offset].prefix { $0 != 0 }, as: UTF8.self)
            let events = FileWatchSource.Events(rawValue: event.mask)
            let path = paths[event.wd] ?? ""
            if events.contains(.ended) { paths[event.wd] = nil }
            handler(.init(path: path, name: name.isEmpty ? nil : name, events: events))
        }
    }
}
