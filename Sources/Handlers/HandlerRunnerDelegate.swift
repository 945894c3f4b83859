/// Does for a runner what concerns the whole program, and learns which handlers ran.
package protocol HandlerRunnerDelegate: AnyObject {
    /// A handler or action has run.
    func handlerDidRun(_ name: String, for duration: Duration, failure: HandlerFailure?)

    /// An action has failed after its handler had returned: a program, a request.
    func handlerDidFailLater(_ name: String, _ failure: HandlerFailure)

    /// A handler did not run because of its `cooldown`.
    func handlerWasDropped(_ name: String)

    /// Reloads the layout. It is called during a delivery, so it should only schedule the reload.
    func reloadLayout()

    /// Sends a message to all subscribers of its topic; must not block.
    ///
    /// A private message describes an event in a private view. It goes to the subscribers only and is not written
    /// anywhere else.
    func publish(_ message: String, to topic: String, isPrivate: Bool)
}
