import Foundation
import Testing

@testable import Handlers
@testable import Layout

/// The findings for a layout's actions before it replaces another.
@Suite struct Preparation {
    private func findings(_ action: String) throws -> [String] {
        let check = LayoutDocument.check(
            text: "screen: {size: [100, 100]}\non: {began: act}\nhandlers:\n  act: \(action)\n", file: "kiosk.yaml",
            handlers: ["log"])
        guard let document = check.document else { return check.findings.map(\.description) }
        return try Kiosk().runner.prepare(for: document).map(\.description)
    }

    @Test("a missing user, or root, rejects the layout")
    func users() throws {
        #expect(
            try findings("{exec: {command: [/bin/true], user: nobody-of-this-name}}") == [
                "kiosk.yaml:4:15: error: 'exec': there is no user named 'nobody-of-this-name' on this machine"
            ])
        #expect(
            try findings("{exec: {command: [/bin/true], user: root}}") == [
                "kiosk.yaml:4:15: error: 'exec': 'user' must not be root; name another user"
            ])
        // The tests run as root, which may become any user.
        #expect(try findings("{exec: {command: [/bin/true], user: nobody}}") == [])
    }

    @Test("an unknown key rejects the layout; keys of every kind are known")
    func keys() throws {
        #expect(
            try findings("{emit: [KEY_ENTER, KEY_ENTRE]}") == [
                "kiosk.yaml:4:15: error: 'emit': unknown key 'KEY_ENTRE'; input-event-codes.h lists all keys"
            ])
        #expect(try findings("{emit: [KEY_LEFTCTRL, BTN_LEFT, KEY_PLAYPAUSE]}") == [])
    }

    @Test("a missing credential is a warning with a fix, and the layout can be used")
    func credentials() throws {
        #expect(
            try findings("{http: {url: \"https://example.org/\", credential: token}}") == [
                "kiosk.yaml:4:15: warning: 'http' will fail: credential 'token' is missing, because touchd does not run as a service; "
                    + "add LoadCredential=token:FILE to the service with 'systemctl edit touchd'"
            ])
        #expect(try findings("{publish: {topic: t, mqtt: {host: broker.example}}}") == [])
    }
}
