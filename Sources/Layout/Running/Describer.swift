import ControlProtocol
import Evdev
import Foundation
import TouchKit

/// Makes the records that leave touchd from touches, recognizers and controls, and conceals private views in them.
package final class Describer {
    /// The current layout; nil if the program creates its windows itself.
    package weak var scene: Scene? {
        didSet { places.removeAll(keepingCapacity: true) }
    }

    /// What stays the same while a touch is down and no other page is shown.
    private struct TouchPlace {
        let touch, pageChanges: Int
        let device: String
        let page, screen: String?
    }

    private let deviceName: (DeviceID) -> String
    private var places: [TouchPlace] = []

    /// - Parameter deviceName: Returns the display name of a device.
    package init(deviceName: @escaping (DeviceID) -> String) { self.deviceName = deviceName }

    /// Forgets a touch that is over.
    package func forget(_ touch: Touch) { if !places.isEmpty { places.removeAll { $0.touch == touch.id } } }

    /// The client that has published a view; nil for a view of the layout file.
    package func publisher(of view: View?) -> ObjectIdentifier? {
        scene?.slot(of: view)?.owner.map { ObjectIdentifier($0) }
    }

    /// Describes a touch in a phase, after its handlers ran.
    package func describe(_ touch: Touch, _ phase: Touch.Phase, handlers: [String]) -> TouchRecord {
        let place = place(of: touch), reported = ReportedView(touch)
        var record = TouchRecord(
            time: touch.timestamp, device: place.device, touch: touch.id, phase: TouchRecord.Phase(phase))
        (record.page, record.screen, record.view) = (place.page, place.screen, reported.name)
        if let location = touch.reportedLocation {
            (record.x, record.y) = (location.x, location.y)
            // Panels report a pressure in 256 steps or more.
            record.pressure = touch.pressure.map { (Double($0) * 1000).rounded() / 1000 }
            if let size = touch.contactSize { (record.width, record.height) = (size.width, size.height) }
            if phase == .moved, touch.hasMergedMoves {
                record.coalesced = touch.mergedMoves.map {
                    [Double($0.location.x).hundredths, Double($0.location.y).hundredths, $0.timestamp]
                }
            }
        }
        (record.forwarded, record.handlers) = (touch.forwarding.summary, handlers)
        return record
    }

    private func place(of touch: Touch) -> TouchPlace {
        let pageChanges = scene?.pageChanges ?? 0
        for place in places where place.touch == touch.id && place.pageChanges == pageChanges { return place }
        forget(touch)
        let view = touch.view ?? touch.window
        let place = TouchPlace(
            touch: touch.id, pageChanges: pageChanges, device: deviceName(touch.device), page: scene?.page(of: view),
            screen: scene?.screenName(of: view))
        places.append(place)
        return place
    }

    /// Describes a recognizer that enters a state.
    ///
    /// - Parameter time: In seconds, on the clock of the devices' frames.
    package func describe(
        _ recognizer: GestureRecognizer, _ trigger: GestureRecord.Trigger, time: Double
    ) -> GestureRecord {
        let reported = ReportedView(recognizer)
        var record = GestureRecord(
            time: time, gesture: recognizer.kindName, id: recognizer.reportedID, trigger: trigger, view: reported.name,
            measures: reported.isConcealed ? nil : GestureRecord.Measures(recognizer))
        record.page = scene?.page(of: recognizer.view)
        record.screen = scene?.screenName(of: recognizer.view)
        return record
    }

    /// Describes a change of a control at the moment when it happens.
    ///
    /// - Parameter time: In seconds, on the clock of the devices' frames.
    package func describe(_ control: Control, _ change: ControlRecord.Change, time: Double) -> ControlRecord {
        record(control, change, time, view: control.reportedName, tellsState: control.isReported)
    }

    /// Describes a change of a published control for its publisher, which gets the id of a view in a private one too,
    /// because it made the keys of its PIN pad itself.
    package func describeForPublisher(
        _ control: Control, _ change: ControlRecord.Change, time: Double
    ) -> ForPublisher<ControlRecord>? {
        publisher(of: control).map { publisher in
            let view = control.accessibilityIdentifier ?? control.reportedName
            return ForPublisher(record(control, change, time, view: view, tellsState: true), publisher: publisher)
        }
    }

    private func record(
        _ control: Control, _ change: ControlRecord.Change, _ time: Double, view: String?, tellsState: Bool
    ) -> ControlRecord {
        ControlRecord(
            time: time, control: change, view: view,
            on: change == .toggled && tellsState ? control.isSelected : nil)
    }
}

extension TouchRecord.Phase {
    /// The phase of a touch.
    package init(_ phase: Touch.Phase) {
        self =
            switch phase {
            case .began: .began
            case .moved: .moved
            case .stationary: .stationary
            case .ended: .ended
            case .cancelled: .cancelled
            }
    }
}

extension Touch.Phase {
    /// The name of the phase in logs, layouts and commands.
    package var name: String { TouchRecord.Phase(self).rawValue }
}

extension GestureRecord.Measures {
    fileprivate init(_ recognizer: GestureRecognizer) {
        let touches = recognizer.trackedTouches.count
        self.init(touches: touches)
        if touches > 0 {
            let location = recognizer.location(in: nil)
            (x, y) = (location.x, location.y)
        }
        switch recognizer {
        case let pinch as PinchGestureRecognizer: (scale, velocity) = (pinch.scale, .scalar(pinch.velocity))
        case let turn as RotationGestureRecognizer: (rotation, velocity) = (turn.rotation, .scalar(turn.velocity))
        case let pan as PanGestureRecognizer:
            let (way, speed) = (pan.translation(in: pan.view), pan.velocity(in: pan.view))
            (translation, velocity) = (.vector(way.x, way.y), .vector(speed.x, speed.y))
        case let swipe as SwipeGestureRecognizer:
            direction =
                switch swipe.direction {
                case .left: "left"
                case .up: "up"
                case .down: "down"
                default: "right"
                }
        default: break
        }
    }
}

nonisolated extension Frame {
    /// The frame of a view.
    package init(_ rect: CGRect) { self.init(x: rect.minX, y: rect.minY, width: rect.width, height: rect.height) }
}

nonisolated extension CGRect {
    /// A frame of a message.
    package init(_ frame: Frame) { self.init(x: frame.x, y: frame.y, width: frame.width, height: frame.height) }
}
