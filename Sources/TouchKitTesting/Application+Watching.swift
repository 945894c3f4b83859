import TouchKit

/// Closures that see deliveries, for tests inside this package.
extension Application {
    /// Adds an observer that calls a closure before each event is delivered, and before the other observers.
    package func beforeDelivery(_ body: @escaping (Event) -> Void) {
        observers.insert(Watcher(willDeliver: body), at: 0)
    }

    /// Adds an observer that calls a closure for each delivered touch.
    package func onDelivery(_ body: @escaping (TouchDelivery) -> Void) { observers.append(Watcher(didDeliver: body)) }

    /// Adds an observer that calls a closure for each change of a recognizer's state, with the former state.
    package func onStateChange(_ body: @escaping (GestureRecognizer, GestureRecognizer.State) -> Void) {
        observers.append(Watcher(didChangeState: body))
    }
}

private final class Watcher: DeliveryObserver {
    private let before: ((Event) -> Void)?, delivered: ((TouchDelivery) -> Void)?
    private let changed: ((GestureRecognizer, GestureRecognizer.State) -> Void)?

    init(
        willDeliver: ((Event) -> Void)? = nil, didDeliver: ((TouchDelivery) -> Void)? = nil,
        didChangeState: ((GestureRecognizer, GestureRecognizer.State) -> Void)? = nil
    ) { (before, delivered, changed) = (willDeliver, didDeliver, didChangeState) }

    func willDeliver(_ event: Event) { before?(event) }
    func didDeliver(_ delivery: TouchDelivery) { delivered?(delivery) }
    func didChangeState(of recognizer: GestureRecognizer, from former: GestureRecognizer.State) {
        changed?(recognizer, former)
    }
}
