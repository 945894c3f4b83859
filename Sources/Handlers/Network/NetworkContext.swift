import EventLoop

/// What the connections of handlers to servers and brokers share.
struct NetworkContext {
    let loop: EpollRunLoop
    let failures: LateFailures
    let credentials: Credentials
    /// The delay before the first retry.
    var firstPause = Duration.seconds(1)
    /// A file of certificates to trust instead of the system's; for tests only.
    var certificates: String?
}
