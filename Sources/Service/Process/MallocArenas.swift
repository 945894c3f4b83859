import CLinux

/// Configures the arenas of malloc(3).
package nonisolated enum MallocArenas {
    /// Limits malloc to one arena for all threads, so that memory freed by one thread is available to the others.
    ///
    /// By default each thread gets an arena and keeps its freed memory there. touchd's threads are few and allocate
    /// little. Call it before the second thread starts (mallopt(3)).
    package static func limitToOne() { mallopt(M_ARENA_MAX, 1) }
}
