import EventLoop
import Evdev
import Handlers
import Layout
import TouchKit

/// The observers of real touches, in the order in which they are called: what a layout asks for, and those of all layouts.
package final class TouchObservers {
    private let context: DaemonContext
    private let forwarder: PanelForwarder
    private let reporter: EventReporter

    /// Runs the layout's idle times; nil without any.
    private(set) var idle: IdleWatch?
    /// Sends touches as TUIO; nil unless the layout asks for it.
    private(set) var tuio: TUIOSender?
    /// Called when TUIO needs another socket.
    var tuioDidFail: (SystemError) -> Void = { _ in }
    /// Records events for the subscribers of `inspection`; nil without such subscribers.
    private(set) var inspection: InspectionRecorder?
    private var privacy: HistoryPrivacy?

    /// The last minutes; nil if the layout does not keep them.
    var history: TouchHistory? { privacy?.history }

    package init(_ context: DaemonContext, forwarder: PanelForwarder, reporter: EventReporter) {
        (self.context, self.forwarder, self.reporter) = (context, forwarder, reporter)
    }

    /// Calls the observers from now on, in order.
    package func start() {
        let observers: [(any DeliveryObserver)?] = [
            // First: a handler of `woken` may cancel the touch, which then never reaches the program that draws.
            idle,
            // Before all that report whether a touch was forwarded.
            forwarder.observer,
            inspection, tuio, privacy, reporter,
        ]
        context.application.observers = observers.compactMap(\.self)
    }

    /// Ends what a layout asked for, and calls no observer any more.
    func stop() {
        idle?.stop()
        idle = nil
        context.application.observers = []
    }

    /// Makes the observers that a layout asks for; the new layout's handlers can run already.
    package func follow(_ document: LayoutDocument, _ scene: Scene) {
        reporter.follow(document, scene)
        tuio?.finish()
        tuio = document.tuio.map {
            TUIOSender($0, scene: scene, loop: context.loop, after: tuio) { [weak self] in self?.tuioDidFail($0) }
        }
        // A new history, because the new layout may mark other views private.
        privacy = document.recording.map {
            HistoryPrivacy(keeping: $0, scene: scene, application: context.application)
        }
        watchIdle(document.idle)
        start()
    }

    /// Starts the timer of a layout's `idle:`; without it, no timer runs.
    private func watchIdle(_ specs: [IdleSpec]) {
        idle?.stop()
        idle = IdleWatch(
            specs, application: context.application, after: idle,
            setsForwarding: { [forwarder] in
                if $0 { forwarder.resume(swallowing: true) } else { forwarder.suspend() }
            }, didChange: { [reporter] in reporter.idled($0, $1) },
            perform: { [runner = context.runner] in runner.perform($0, for: $1) })
        if idle?.keepsTouches == true { forwarder.suspend() } else { forwarder.resume(swallowing: false) }
        idle?.start(waitingForTouch: !context.options.source.isLive)
    }

    /// Adds the recorder of an inspection, or ends the inspection.
    func inspect(with recorder: InspectionRecorder?) {
        inspection = recorder
        start()
    }
}
