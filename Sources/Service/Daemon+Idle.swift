import Handlers
import Layout
import TouchKit

extension Daemon {
    /// Watches for the times of a layout's `idle:`; where it has none, touches are not watched and no timer runs.
    func watchIdle(_ specs: [IdleSpec]) {
        idle?.stop()
        idle = IdleWatch(specs, application: application, after: idle) { [runner] step, occasion in
            runner.perform(step, for: occasion)
        }
        application.willDeliver = idle.map { idle in { idle.touched(at: $0.timestamp) } }
        idle?.start(waitingForTouch: !options.source.isLive)
    }
}
