/// The delivery of one touch in one event.
package struct TouchDelivery {
    /// The touch, in its state after its responders were called.
    package let touch: Touch
    /// The phase that was delivered.
    package let phase: Touch.Phase
    /// The names of the handlers that ran for it, in order; unnamed handlers are left out.
    package let handlerNames: [String]
}
