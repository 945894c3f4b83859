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

    /// The whole state: what `metrics` counts, and what others know.
    var report: StatusReport {
        var report = metrics.current()
        report.process = getpid()
        report.layout = options.layout
        report.layoutVersion = layout.scene?.document.version
        report.layoutHash = layout.scene?.document.fileHash
        report.refusal = layout.refusal
        report.lastGood = layout.lastGood?.utcText
        report.pages = layout.scene?.currentPages ?? []
        report.ignoring = application.isIgnoringInteractionEvents
        report.devices = events.reportedDevices.map { device in
            var report = StatusReport.Device(device)
            let forwarding = events.forwardingState(of: device)
            (report.forward, report.forwardRemark) = (forwarding?.node, forwarding?.remark)
            return report
        }
        report.deviceOverruns = Counter.overruns.value
        report.forwarding = events.forwarder.report
        report.queue.frames = application.queuedFrameCount
        if options.source.isLive, let oldest = application.oldestQueuedTimestamp {
            report.queue.oldest = max(Double(Deadline.now.nanoseconds) / 1e9 - oldest, 0)
        }
        report.queue.coalescedMoves = application.coalescedMoveCount
        report.loop = StatusReport.Timing(loop.meter?.latency ?? LatencyHistogram())
        report.log.waiting = journal?.waitingCount ?? 0
        report.log.dropped =
            (journal?.droppedCount ?? 0) + (options.output == nil ? 0 : events.standardOutput.droppedCount)
        if let server = control.server {
            report.control.clients = server.clientCount
            report.control.subscribers = server.subscriberCount
            report.control.droppedEvents = server.droppedCount
            report.control.refused = server.refusedCount
        }
        let peers = runner.network.report
        report.network = peers.isEmpty ? nil : peers
        report.watchdog = watchdogTimes.map { seconds($0.restart) }
        return report
    }

    /// The state for the broker of the layout's `mqtt:`.
    var kioskState: KioskState {
        KioskState { state in
            state.pages = layout.scene?.currentPages ?? []
            let document = layout.scene?.document
            let choices = document.map { $0.screens.count == 1 ? $0.pages.map(\.name) : [] } ?? []
            // Nobody chooses from a longer list, and a packet has a limit.
            if choices.reduce(0, { $0 + $1.utf8.count }) < NetworkOrder.headerLimit { state.choices = choices }
            state.isIdle = layout.isIdle
            state.lastTouch = events.lastTouch?.utcText
            state.devices = events.devices.map { device in
                let device = StatusReport.Device(device)
                return KioskState.Device { ($0.name, $0.use) = (device.name, device.use) }
            }
        }
    }
}

extension PanelForwarder {
    /// The counts for status reports; nil while no panel is forwarded.
    fileprivate var report: StatusReport.Forwarding? {
        guard hasPanels else { return nil }
        var report = StatusReport.Forwarding()
        (report.began, report.ended, report.cancelled) = (counts.began, counts.lifted, counts.cancelled)
        for (reason, count) in counts.kept { report.kept[reason.rawValue] = count }
        return report
    }
}

nonisolated extension StatusReport.Timing {
    init(_ histogram: LatencyHistogram) {
        self.init()
        (count, sum) = (histogram.count, Double(histogram.sum) / 1e9)
        p50 = seconds(histogram.quantile(0.5))
        p99 = seconds(histogram.quantile(0.99))
        p999 = seconds(histogram.quantile(0.999))
        longest = Double(histogram.longest) / 1e9
    }
}

nonisolated extension StatusReport.Device {
    init(_ device: DeviceInfo) {
        self.init()
        (name, path) = (device.description.name, device.path)
        (use, reason) = device.use.words
        if device.isHeld { held = true }
    }
}
