import CLinux
import Glibc

/// Calls a handler when watched files or directories change, by inotify(7).
///
/// To follow a file that editors replace, watch its directory for `written` and `movedIn` and compare the name: the file
/// itself is a new one after each save. inotify does not see changes made elsewhere on a network file system, nor
/// in /proc and /sys.
public final class FileWatchSource: DescriptorBacked {
    /// What happened to a watched file or in a watched directory.
    ///
    /// The bits are inotify's.
    public struct Events: OptionSet, Sendable, Hashable {
        /// inotify's bits.
        public let rawValue: UInt32

        /// Makes a set from inotify's bits.
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// It was written to or truncated (`IN_MODIFY`).
        public static let modified = Events(rawValue: UInt32(IN_MODIFY))
        /// It was open for writing and is closed (`IN_CLOSE_WRITE`).
        public static let written = Events(rawValue: UInt32(IN_CLOSE_WRITE))
        /// Its permissions, owner, times or links changed (`IN_ATTRIB`).
        public static let attributes = Events(rawValue: UInt32(IN_ATTRIB))
        /// A name was made in the directory (`IN_CREATE`).
        public static let created = Events(rawValue: UInt32(IN_CREATE))
        /// A name was removed from the directory (`IN_DELETE`).
        public static let deleted = Events(rawValue: UInt32(IN_DELETE))
        /// A name was moved into the directory (`IN_MOVED_TO`).
        public static let movedIn = Events(rawValue: UInt32(IN_MOVED_TO))
        /// A name was moved out of the directory (`IN_MOVED_FROM`).
        public static let movedOut = Events(rawValue: UInt32(IN_MOVED_FROM))
        /// What is watched was itself removed (`IN_DELETE_SELF`).
        public static let removed = Events(rawValue: UInt32(IN_DELETE_SELF))
        /// What is watched was itself moved (`IN_MOVE_SELF`).
        public static let moved = Events(rawValue: UInt32(IN_MOVE_SELF))
        /// Reported once nothing of this path is watched any longer (`IN_IGNORED`); never asked for.
        public static let ended = Events(rawValue: UInt32(IN_IGNORED))
        /// Changes were lost: look at everything again (`IN_Q_OVERFLOW`).
        ///
        /// Reported with an empty path; never asked for.
        public static let overflowed = Events(rawValue: UInt32(IN_Q_OVERFLOW))
        /// What follows the content of a file, or of the files in a directory, through every way of saving.
        public static let content: Events = [.written, .created, .deleted, .movedIn, .movedOut, .removed, .moved]
    }

    /// One change.
    public struct Change: Sendable, Hashable {
        /// The path as it was given to `watch(_:for:)`.
        public let path: String
        /// The name in that directory, or nil if the change is to what is watched itself.
        public let name: String?
        /// What happened.
        public let events: Events

        /// Makes a change.
        public init(path: String, name: String?, events: Events) {
            self.path = path
            self.name = name
            self.events = events
        }
    }

    /// The source that watches the inotify descriptor.
    public let descriptorSource: DescriptorSource

    private let watches: Watches

    /// Makes a source that watches nothing yet.
    ///
    /// - Parameter handler: Called on the loop's thread for each change, in the kernel's order.
    /// - Throws: If there is no inotify instance left (`max_user_instances`), or no descriptor.
    public init(handler: @escaping (Change) -> Void) throws(SystemError) {
        let watches = try Watches()
        self.watches = watches
        descriptorSource = DescriptorSource(name: "file watch", descriptor: watches.descriptor) { _ in
            watches.read(handler)
        }
    }

    deinit { descriptorSource.invalidate() }

    /// Watches a file or directory; once more for the same one replaces what is asked.
    ///
    /// - Throws: If there is no such file, it may not be read, or no watch is left (`max_user_watches`).
    public func watch(_ path: String, for events: Events = .content) throws(SystemError) {
        try watches.add(path, events)
    }

    /// Stops watching a path; changes already reported by the kernel may still arrive, `ended` last.
    public func stopWatching(_ path: String) { watches.remove(path) }

    /// Ends the source for good.
    public func invalidate() { descriptorSource.invalidate() }
}

/// Owns an inotify descriptor, and knows which path each of its watches is for.
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
            // The kernel fills the name's room with zeros after it.
            let name = String(decoding: buffer[start..<offset].prefix { $0 != 0 }, as: UTF8.self)
            let events = FileWatchSource.Events(rawValue: event.mask)
            let path = paths[event.wd] ?? ""
            if events.contains(.ended) { paths[event.wd] = nil }
            handler(.init(path: path, name: name.isEmpty ? nil : name, events: events))
        }
    }
}
