/// The receiver and the call of an event that carries neither touches nor presses.
struct EventMessage {
    enum Content {
        case motionBegan
        case motionEnded
        case motionCancelled
        case remoteControl
        case hoverBegan(Pointer)
        case hoverMoved(Pointer)
        case scrolled(Pointer, Scroll)
    }

    let content: Content
    let receiver: Responder
}
