import ControlProtocol
import Evdev
import EventLoop
import Forwarding
import Foundation
import Outputs
import TouchKit

/// Reports touchd's state.
extension Daemon {
    /// The line that `systemctl status` shows.
    var statusText: StatusLine.Text {
        if let refusal = layout.refusal {
            return (
                "Layout refused, \(layout.lastGood == nil ? "the one before it stays" : "the last good one is used"): "
                    + refusal, false
            )
        }
        var parts: [String]
        switch options.source {
        case .devices:
            let used = events.devices.count { $0.use == .used }
            parts = [used == 0 ? "No input device yet" : "Reading \(used) device\(used == 1 ? "" : "s")"]
        case .recording(let path, _, _, _):
            parts = ["Replaying \(path)"]
        }
        let pages = layout.scene?.currentPages ?? []
        if !pages.isEmpty { parts.append("page \(pages.joined(separator: ", "))") }
        let touches = metrics.touchesPerMinute()
        if touches > 0 { parts.append("\(touches) touch\(touches == 1 ? "" : "es") in the last minute") }
        return (parts.joined(separator: ", "), touches > 0)
    }

    /// The whole state.
    var report: StatusReport {
        StatusReport(
            version: Self.version, process: getpid(), uptime: metrics.uptime, layout: options.layout,
            layoutVersion: layout.scene?.document.version, layoutHash: layout.scene?.document.fileHash,
            refusal: layout.refusal, lastGood: layout.lastGood?.utcText,
            pages: layout.scene?.currentPages ?? [],
            ignoring: application.isIgnoringInteractionEvents,
            devices: events.reportedDevices.map { device in
                var report = StatusReport.Device(device)
                let forwarding = events.forwardingState(of: device)
                (report.forward, report.forwardRemark) = (forwarding?.node, forwarding?.remark)
                return report
            },
            deviceErrors: metrics.deviceErrors, touches: metrics.touches,
            forwarding: events.forwarder.report, droppedPresses: metrics.droppedPresses, queue: queueReport,
            latency: StatusReport.Timing(metrics.latency), handlers: metrics.handlerReports,
            loop: StatusReport.Timing(loop.meter?.latency ?? LatencyHistogram()),
            log: StatusReport.Log(
                waiting: journal?.waitingCount ?? 0,
                dropped: (journal?.droppedCount ?? 0) + (options.output == nil ? 0 : events.standardOutput.droppedCount)
            ),
            control: StatusReport.Control(
                clients: control.server?.clientCount ?? 0, subscribers: control.server?.subscriberCount ?? 0,
                droppedEvents: control.server?.droppedCount ?? 0, refused: control.server?.refusedCount ?? 0),
            watchdog: watchdogTimes.map { seconds($0.restart) })
    }

    /// The state for the broker of the layout's `mqtt:`.
    var brokerState: BrokerState {
        let document = layout.scene?.document
        return BrokerState(
            pages: layout.scene?.currentPages ?? [],
            choices: document.map { $0.screens.count == 1 ? $0.pages.map(\.name) : [] } ?? [], isIdle: layout.isIdle,
            lastTouch: events.lastTouch,
            devices: events.devices.map { device in
                let device = StatusReport.Device(device)
                return (device.name, device.use)
            })
    }

    private var queueReport: StatusReport.Queue {
        let oldest = application.oldestQueuedTimestamp.map { Double(Deadline.now.nanoseconds) / 1e9 - $0 }
        return StatusReport.Queue(
            frames: application.queuedFrameCount, oldest: options.source.isLive ? max(oldest ?? 0, 0) : 0,
            coalescedMoves: application.coalescedMoveCount)
    }
}

extension PanelForwarder {
    /// The counts for status reports; nil while no panel is forwarded.
    fileprivate var report: StatusReport.Forwarding? {
        guard hasPanels else { return nil }
        return StatusReport.Forwarding(
            began: counts.began, ended: counts.lifted, cancelled: counts.cancelled,
            kept: Dictionary(uniqueKeysWithValues: counts.kept.map { ($0.key.rawValue, $0.value) }))
    }
}

extension Metrics {
    fileprivate var touches: StatusReport.Touches {
        StatusReport.Touches(
            began: began, moved: moved, ended: ended, cancelled: cancelled, down: down, perMinute: touchesPerMinute(),
            stale: staleTouches)
    }

    fileprivate var handlerReports: [StatusReport.Handler] {
        handlers.map {
            StatusReport.Handler(name: $0.name, time: StatusReport.Timing($0.durations), failures: $0.failures)
        }
    }
}

nonisolated extension StatusReport.Timing {
    init(_ histogram: LatencyHistogram) {
        self.init(
            count: histogram.count, sum: Double(histogram.sum) / 1e9, p50: seconds(histogram.quantile(0.5)),
            p99: seconds(histogram.quantile(0.99)), p999: seconds(histogram.quantile(0.999)),
            longest: Double(histogram.longest) / 1e9)
    }
}

nonisolated extension StatusReport.Device {
    init(_ device: DeviceInfo) {
        self.init(
            name: device.description.name, path: device.path, use: "used", reason: nil, held: device.isHeld ? true : nil
        )
        switch device.use {
        case .used: break
        case .ignored(let why): (use, reason) = ("ignored", why)
        case .failed(let error): (use, reason) = ("failed", error.reason)
        }
    }
}
