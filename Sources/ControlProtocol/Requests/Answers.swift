extension ControlRequest {
    /// The type of the `result` of an answer to the request.
    package var answer: any JSONValue.Type {
        switch self {
        case .hello: HelloAnswer.self
        case .subscribe: SubscriptionAnswer.self
        case .status: StatusReport.self
        case .hit: HitReport.self
        case .views: LayoutState.Slot.self
        case .slot: LayoutState.Publication.self
        case .layout: LayoutState.self
        case .listPages: [PageState].self
        case .listViews: ViewList.self
        case .devices: [DeviceState].self
        case .recording: RecordingPart.self
        case .command, .move, .rehearse: NoAnswer.self
        }
    }
}

/// The answer to a request without a result.
package struct NoAnswer: JSONMessage, Equatable {
    package init() {}

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {}
}

/// The answer to `hello`.
package struct HelloAnswer: JSONMessage, Equatable {
    package var `protocol` = ControlRequest.protocolVersion, version = StatusReport.currentVersion
    package init() {}

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("protocol", "the version of the protocol", \.protocol)
        visitor.member("version", "touchd's version", \.version)
    }
}

/// The answer to `subscribe`: the subscription of the connection.
package struct SubscriptionAnswer: JSONMessage, Equatable {
    package var to: [String] = [], moves = false, own = false
    package init() {}

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("to", "the topics", \.to)
        visitor.member("moves", "whether moved touches are included", \.moves)
        visitor.member(
            "own", "whether touches, gestures and controls are only of views that the connection has published", \.own)
    }
}

/// A part of a touchscreen's last minutes: the answer to the request `recording`.
package struct RecordingPart: JSONMessage {
    package var source: UInt32 = 0, name = "", text = "", next: Int?
    package init() {}

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("source", "the touchscreen's number in `devices`", \.source)
        visitor.member("name", "its name", \.name)
        visitor.member("text", "the part, as evemu text", \.text)
        visitor.member("next", "the number of the next part; absent in the last one", \.next)
    }
}

/// The events of the control socket.
package enum EventTable {
    /// The type of each event, in the order of the documentation.
    package static let all: [any EventRecord.Type] = [
        TouchRecord.self, GestureRecord.self, ControlRecord.self, DeviceRecord.self, PageRecord.self,
        LayoutRecord.self, IdleRecord.self, AccessibilityRecord.self, SlotRecord.self, PublishedRecord.self,
        RehearsalRecord.self, DroppedRecord.self, InspectionRecord.self,
    ]
}
