/// A handler that ran for a touch.
struct HandlerRun {
    let touch: Touch
    let name: String
}
