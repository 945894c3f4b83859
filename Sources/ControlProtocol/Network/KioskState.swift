/// The state that the broker of the layout's `mqtt:` keeps.
package struct KioskState: JSONMessage, Equatable {
    /// A device, and how touchd uses it.
    package struct Device: JSONMessage, Equatable {
        package var name = "", use = DeviceUse.used
        package init() {}

        package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member(.name, \.name)
            visitor.member(.use, \.use)
        }
    }

    package var pages: [String] = [], choices: [String] = [], isIdle: Bool?, lastTouch: String?, devices: [Device] = []
    package var network: [PeerState] = []
    package init() {}

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("pages", "the shown pages, in the order of the screens", \.pages)
        visitor.member("choices", "the pages that `go` can show, if the layout has one screen", \.choices)
        visitor.member("isIdle", "whether an idle time has passed; absent if the layout has none", \.isIdle)
        visitor.member(
            "lastTouch", "the time of the last touch, in UTC (RFC 3339); absent before the first", \.lastTouch)
        visitor.member("devices", "the devices", \.devices)
        visitor.member("network", "the brokers and servers", \.network)
    }
}
