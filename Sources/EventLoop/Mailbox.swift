import Synchronization

/// What other threads leave for a loop, and the descriptor that wakes it.
///
/// A sender leaves its letter first and rings after. Only the first ring since the loop last emptied the box writes to the
/// descriptor, so any number of letters costs one system call; the loop says “not rung” before it looks into the box, so
/// a letter is either seen or rings again.
final class Mailbox: Sendable {
    /// A block for a mode.
    struct Letter: Sendable {
        var mode: EpollRunLoop.Mode
        var body: @Sendable () -> Void
    }

    private struct Contents {
        var letters: ContiguousArray<Letter> = []
        var stop = false
    }

    let wakeUp: WakeUpDescriptor
    private let isRung = Atomic(false)
    private let contents = Mutex(Contents())

    init(wakeUp: consuming WakeUpDescriptor) { self.wakeUp = wakeUp }

    func wake() {
        if !isRung.exchange(true, ordering: .sequentiallyConsistent) { wakeUp.write() }
    }

    func stop() {
        contents.withLock { $0.stop = true }
        wake()
    }

    func post(_ letter: Letter) {
        contents.withLock { $0.letters.append(letter) }
        wake()
    }

    /// Empties the box into an empty array, whose storage the box uses from then on; answers whether to stop.
    func take(into letters: inout ContiguousArray<Letter>) -> Bool {
        isRung.store(false, ordering: .sequentiallyConsistent)
        return contents.withLock { contents in
            swap(&contents.letters, &letters)
            defer { contents.stop = false }
            return contents.stop
        }
    }
}
