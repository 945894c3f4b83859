/// The properties that all connections of a server share.
package struct WebConfiguration: Sendable {
    /// Responds to a request. When the client closes the connection, the task is cancelled.
    package typealias Answer = @MainActor @Sendable (WebRequest) async -> WebResponse

    /// Takes a page's stream when a page opens it; called on the stream's event loop.
    package typealias Opening = @Sendable (PageStream) -> Void

    /// Reports a refused request: the page's origin or `-`, the request's path, and the reason.
    package typealias RefusalReport = @Sendable (_ origin: String, _ path: String, _ reason: String) -> Void

    var users: PeerUsers?
    var requestGuard: RequestGuard
    var limits: WebLimits
    var answer: Answer
    var open: Opening?
    var report: RefusalReport?
}
