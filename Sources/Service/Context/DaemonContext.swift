import EventLoop
import Handlers
import Logging
import TouchKit

/// What all parts of a daemon use.
package struct DaemonContext {
    let options: DaemonOptions
    let application: Application
    let loop: EpollRunLoop
    let logger: Logger
    let counts: Counts
    let deviceNames = DeviceNames()
    let handlers: HandlerRegistry
    let runner: HandlerRunner

    package init(
        _ options: DaemonOptions, application: Application, loop: EpollRunLoop, logger: Logger,
        handlers: HandlerRegistry = HandlerRegistry()
    ) {
        (self.options, self.application, self.loop) = (options, application, loop)
        (self.logger, self.handlers) = (logger, handlers)
        counts = Counts(isLive: options.source.isLive)
        runner = HandlerRunner(
            registry: handlers, application: application, loop: loop, logger: logger,
            deviceName: { [deviceNames] in deviceNames[$0] })
    }
}
