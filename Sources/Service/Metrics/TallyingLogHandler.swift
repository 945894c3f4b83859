import ControlProtocol
import Foundation
import Logging

/// Counts what is logged of devices that fail, on its way to another handler.
nonisolated struct TallyingLogHandler: LogHandler {
    private var base: any LogHandler
    private let metrics: Metrics

    init(_ base: any LogHandler, _ metrics: Metrics) {
        self.base = base
        self.metrics = metrics
    }

    var metadata: Logger.Metadata {
        get { base.metadata }
        set { base.metadata = newValue }
    }

    var logLevel: Logger.Level {
        get { base.logLevel }
        set { base.logLevel = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { base[metadataKey: key] }
        set { base[metadataKey: key] = newValue }
    }

    func log(event: LogEvent) {
        let failed: Logger.Metadata.Value = "\(MessageID.deviceFailed.rawValue)"
        if event.metadata?[MessageID.field] == failed, Thread.isMainThread {
            MainActor.assumeIsolated { metrics.deviceErrors += 1 }
        }
        base.log(event: event)
    }
}
