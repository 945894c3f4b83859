/// An event of the control socket.
package protocol EventRecord: JSONRecord {
    /// The value of the member `event`, which is the first one.
    static var event: StaticString { get }
}

/// The events of the control socket.
package enum EventTable {
    /// The type of each event, in the order of the documentation.
    package static let all: [any EventRecord.Type] = [
        TouchRecord.self, GestureRecord.self, ControlRecord.self, DeviceRecord.self, PageRecord.self,
        LayoutRecord.self, IdleRecord.self, SlotRecord.self, PublishedRecord.self, RehearsalRecord.self,
        DroppedRecord.self, InspectionRecord.self,
    ]
}

extension JSONWriter {
    /// Writes an event.
    ///
    /// Each event calls it from a method in this module: a generic call from another one costs twice as much.
    mutating func write<Record: EventRecord>(event record: Record) {
        beginObject()
        name("event")
        write(text: Record.event)
        write(membersOf: record)
        end()
    }
}
