import Testing

@testable import Handlers
@testable import Layout

/// The findings for a layout's actions before it replaces another.
@Suite struct Preparation {
    @Test(
        "what an action needs and this machine lacks rejects the layout",
        arguments: [
            (
                "{exec: {command: [/bin/true], user: nobody-of-this-name}}",
                "error: 'exec': there is no user named 'nobody-of-this-name' on this machine"
            ),
            ("{exec: {command: [/bin/true], user: root}}", "error: 'exec': 'user' must not be root; name another user"),
            // The tests run as root, which may become any user.
            ("{exec: {command: [/bin/true], user: nobody}}", nil),
            (
                "{emit: [KEY_ENTER, KEY_ENTRE]}",
                "error: 'emit': unknown key 'KEY_ENTRE'; input-event-codes.h lists all keys"
            ),
            ("{emit: [KEY_LEFTCTRL, BTN_LEFT, KEY_PLAYPAUSE]}", nil),
        ] as [(String, String?)])
    func finding(action: String, finding: String?) throws {
        let check = LayoutDocument.check(
            text: "screen: {size: [100, 100]}\non: {began: act}\nhandlers:\n  act: \(action)\n", file: "kiosk.yaml",
            handlers: ["log"])
        let findings = try check.document.map { try Kiosk().runner.prepare(for: $0) } ?? check.findings
        #expect(findings.map(\.description) == (finding.map { ["kiosk.yaml:4:15: \($0)"] } ?? []))
    }
}
