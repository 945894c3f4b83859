import CLinux

/// How malloc(3) divides a process's memory.
package nonisolated enum MallocArenas {
    /// Has all threads take their memory from one arena, so that what one gave back is there for the others.
    ///
    /// Otherwise each thread gets an arena of its own, which keeps what it once had: touchd's threads are few and have little
    /// to do. Call it before there is a second thread (mallopt(3)).
    package static func keepOne() { mallopt(M_ARENA_MAX, 1) }
}
