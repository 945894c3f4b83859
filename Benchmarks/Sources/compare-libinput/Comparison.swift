import Recordings
import CLinux
import Evdev

/// One recording, played to the kernel, and what touchd and libinput, which both have the node open, make of it.
///
/// The device stays when its recording is over, each recording having its own, so that nothing of one may turn up at
/// another.
final class Comparison {
    private let name: String
    private let path: String
    private let descriptionPath: String?
    private var description: DeviceDescription?
    private var device: UinputDevice?
    private var info: DeviceInfo?
    private var libinput: Libinput?
    private var reports = 0

    init(name: String, path: String, description: String?) {
        (self.name, self.path, descriptionPath) = (name, path, description)
    }

    /// The node, if touchd reads it.
    var usedPath: String? { info?.use == .used ? info?.path : nil }

    /// Makes the device, and waits until udev and touchd have dealt with it.
    func plug(_ scene: Scene) throws {
        let description = try RecordingReader(path: path, description: descriptionPath).description
        let device = try UinputDevice(description)
        info = try scene.awaitArrival(of: device.path)
        libinput = Libinput(device.path)
        (self.device, self.description) = (device, description)
    }

    /// Sends the events report by report; both then read them.
    func play(_ scene: Scene) throws {
        guard let device else { return }
        var reader = try RecordingReader(path: path, description: descriptionPath)
        while let event = try reader.next() {
            device.send(event.type, event.code, event.value)
            guard event.type == UInt16(EV_SYN), event.code == UInt16(SYN_REPORT) else { continue }
            reports += 1
            scene.read()
            libinput?.dispatch(isCounted: false)
        }
    }

    /// Takes the device away, with whatever is down on it.
    func unplug() {
        device = nil
        libinput?.unplug()
    }

    /// A line of the table.
    func row(_ scene: Scene) throws -> String {
        guard let info, let description else { return "" }
        let touchProtocol = info.role.touchProtocol?.rawValue ?? "–"
        var mine: TouchLog?
        if info.use == .used {
            var log = TouchLog()
            for frame in try scene.seen(of: info).frames {
                for contact in frame.contacts { log.record(contact) }
            }
            mine = log
        }
        let theirs = libinput.flatMap { $0.takesTouch ? $0.log : nil }
        guard let mine, let theirs else {
            let took = libinput == nil ? "not taken" : theirs == nil ? "not as touch" : count(theirs)
            return cells([
                name, touchProtocol, "\(reports)", mine == nil ? "left alone" : count(mine), took, "–", "–", "–",
                reason,
            ])
        }
        let same = mine.agreement(with: theirs)
        let (positions, distance) = mine.distance(from: theirs, units: units(description))
        return cells([
            name, touchProtocol, "\(reports)", count(mine), count(theirs), "\(same)", "\(positions)",
            positions == 0 ? "–" : "\((distance * 1000).rounded() / 1000)", mine.firstDifference(from: theirs) ?? "",
        ])
    }

    private func count(_ log: TouchLog?) -> String { "\(log?.touches.count ?? 0)" }
    private func cells(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }

    /// Why touchd does not read the device, without the explanation that `touchd devices` gives.
    private var reason: String {
        switch info?.use {
        case .ignored(let reason): "touchd: \(reason.prefix { $0 != ":" && $0 != "," })"
        case .failed(let error): "touchd: \(error)"
        case .used, nil: ""
        }
    }

    /// How many of the device's units its surface is wide and high.
    private func units(_ description: DeviceDescription) -> TouchLog.Point {
        func size(_ codes: Int32...) -> Double {
            let axis = codes.lazy.compactMap { description.axes[UInt16($0)] }.first
            return axis.map { Double($0.maximum) - Double($0.minimum) + 1 } ?? 1
        }
        return TouchLog.Point(x: size(ABS_MT_POSITION_X, ABS_X), y: size(ABS_MT_POSITION_Y, ABS_Y))
    }
}

extension TouchLog {
    /// Compares the positions of touches that have as many in both logs; the ends of the way of those that have not.
    ///
    /// - Returns: How many were compared, and how far apart the two furthest are on either axis, in `units` a surface.
    func distance(from other: TouchLog, units: Point) -> (positions: Int, distance: Double) {
        var (positions, distance) = (0, 0.0)
        for (mine, theirs) in zip(touches, other.touches) {
            var pairs = Array(zip(mine.way, theirs.way))
            if mine.way.count != theirs.way.count {
                pairs = [(mine.way.first, theirs.way.first), (mine.way.last, theirs.way.last)].compactMap {
                    guard let mine = $0.0, let theirs = $0.1 else { return nil }
                    return (mine, theirs)
                }
            }
            for (mine, theirs) in pairs {
                positions += 1
                let apart = max(abs(mine.x - theirs.x) * units.x, abs(mine.y - theirs.y) * units.y)
                distance = max(distance, apart / 1_000_000)
            }
        }
        return (positions, distance)
    }
}
