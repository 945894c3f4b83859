import ControlProtocol
import Foundation

/// The content of the page apart from events.
struct Overview: JSONRecord {
    var mode: String, source: String
    var problems: [String] = [], file: String?, layout: InspectedLayout?
    var screens: [LayoutState.Screen] = [], views: [InspectionRecord.ViewState] = [], devices: [DeviceState] = []
    var status: StatusReport?, duration: Double?

    static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("mode", "`live` or `recording`", \.mode)
        visitor.member("source", "the socket's path, or the recording's", \.source)
        visitor.member("problems", "reasons why something cannot be shown, for people", \.problems)
        visitor.member("file", "the layout's file; absent if it cannot be read", \.file)
        visitor.member("layout", "the file's content") { $0.layout }
        visitor.member("screens", "the screens with the pages they show", \.screens)
        visitor.member("views", "the views that differ from the file", \.views)
        visitor.member("devices", "the devices", \.devices)
        visitor.member("status", "the status of the running touchd; absent for a recording", \.status)
        visitor.member("duration", .seconds, "the duration of the recording; absent for a running touchd", \.duration)
    }
}
