/// An event of the control socket.
package protocol EventRecord: JSONRecord {
    /// The value of the member `event`, which is the first one.
    static var event: StaticString { get }
}

extension JSONWriter {
    /// Writes an event.
    ///
    /// Frequent events call it from a method in this module: a generic call from another one costs twice as much.
    mutating func write<Record: EventRecord>(event record: Record) {
        beginObject()
        name("event")
        write(text: Record.event)
        write(membersOf: record)
        end()
    }
}

extension EventRecord {
    package func write(to writer: inout JSONWriter) { writer.write(event: self) }
}
