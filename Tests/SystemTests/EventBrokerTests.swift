import Foundation
import Testing

@testable import TestSupport

/// touchd with a broker: `mqtt:` of a layout, against mosquitto.
@Suite(.needs("mosquitto"), .needs("mosquitto-clients")) struct EventBrokerTests {
    @Test("a broker has touchd's state, gives the listed commands, and learns that touchd was killed")
    func both() throws {
        let broker = try Broker()
        try broker.start()
        func command(_ name: String, _ text: String, retain: Bool = false) throws {
            try broker.publish(text, to: "kiosk/7/command/\(name)", retain: retain)
        }
        func state(_ topic: String, of start: String = "kiosk/7/") throws -> String {
            while true { if let text = try broker.retained(start + topic) { return text } }
        }
        // Left over from before touchd started.
        try command("go", "pay", retain: true)
        let touchd = try RunningTouchd(
            layout: """
                screen: {size: [1920, 1080]}
                mqtt: {host: 127.0.0.1, port: \(broker.port), topic: kiosk/7, commands: [go, ignore], discovery: true}
                pages:
                  start: {views: [{id: help, frame: [0, 0, 100, 100]}]}
                  pay: {views: [{id: back, frame: [0, 0, 100, 100]}]}
                """)
        try touchd.waitForTouch()
        while try state("availability") != "online" {}
        _ = try state("last-touch")
        #expect(try state("page") == "start")
        #expect(try state("version").contains("."))
        #expect(try state("devices").contains("\"use\": \"used\""))
        let config = try state("select/kiosk_7/page/config", of: "homeassistant/")
        let entity = try JSONSerialization.jsonObject(with: Data(config.utf8)) as? [String: Any]
        #expect(entity?["options"] as? [String] == ["start", "pay"])

        try command("hide", "help")
        try command("go", "nowhere")
        try command("go", "pay")
        while try state("page") != "pay" {}
        // Messages arrive in order, and 'hide' is not a listed command.
        #expect(try touchd.command("go", "start").status == 0)
        #expect(try touchd.command("hit", "50", "50", "--running").output.hasPrefix("view 'help'"))
        try command("ignore", "1 h")
        while try !touchd.command("status").output.contains("touches are ignored now") {}
        try command("ignore", "0")
        while try touchd.command("status").output.contains("touches are ignored now") {}

        touchd.signal(SIGKILL)
        _ = touchd.end()
        while try state("availability") != "offline" {}
    }
}
