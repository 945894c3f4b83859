/// Reads a device as a kiosk's program would: waits by epoll, reads, and is called for each touch.
protocol Contender: AnyObject {
    /// Takes what the device has sent.
    /// - Parameter isCounted: whether callgrind is to find it: both are done by a function of each kind.
    func dispatch(isCounted: Bool)
    var log: TouchLog { get }
    /// Whether touches are kept; where their cost counts, they are only added up.
    var isLogging: Bool { get set }
}
