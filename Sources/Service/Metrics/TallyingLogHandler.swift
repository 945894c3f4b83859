import Foundation
import Logging

/// Counts what is logged of handlers that fail and devices that fail, on its way to another handler.
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
        if event.level >= .warning, let metadata = event.metadata, Thread.isMainThread {
            MainActor.assumeIsolated { tally(metadata) }
        }
        base.log(event: event)
    }

    @MainActor private func tally(_ metadata: Logger.Metadata) {
        if metadata[MessageID.field] == "\(MessageID.deviceFailed.rawValue)" { metrics.deviceErrors += 1 }
        if case .string(let handler)? = metadata["TOUCHD_HANDLER"] { metrics.countFailure(of: handler) }
    }
}
