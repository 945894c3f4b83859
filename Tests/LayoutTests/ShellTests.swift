import Foundation
import Layout
import Testing

/// Commands that a layout's `exec:` rejects.
@Suite("Shells in a layout") struct ShellTests {
    private func messages(_ action: String) -> [String] {
        let text = "screen: {size: [9, 9]}\non: {ended: run}\nhandlers:\n  run: {\(action)}\n"
        return LayoutDocument.check(text: text, file: "kiosk.yaml", handlers: ["log"]).findings.map(\.message)
    }

    @Test(
        "a shell is given no text, neither by itself nor through another program",
        arguments: [
            "[/bin/sh, -c, 'echo {view}']", "[/usr/bin/bash, -ec, 'true']", "[/bin/dash, -x, -c, 'true']",
            "[/usr/bin/env, zsh, -c, 'true']", "[/usr/bin/setsid, /bin/sh, -lc, 'true']",
            "[/bin/busybox, sh, -c, 'true']", "{command: [/bin/sh, -c, 'true'], limit: 1}",
            "[/bin/bash, +x, -o, errexit, -c, 'true']", "[/bin/bash, -O, extglob, -c, 'true']",
            "[/bin/bash, +O, extglob, -c, 'true']", "[/bin/bash, +c, 'true']", "[/bin/rbash, -c, 'true']",
            "[/bin/bash, --rcfile, /etc/profile, -c, 'true']", "[/usr/bin/bash-static, -c, 'true']",
            "[/usr/bin/script, -qc, 'true', /dev/null]", "[/bin/su, kiosk, -c, 'true']", "[/bin/su, --command=true]",
            "[/usr/bin/watch, 'echo {device}']", "[/usr/bin/env, -S, 'sh -c {device}']", "[/usr/bin/env, -iS, 'sh x']",
            "[/usr/bin/ssh, kiosk@example.org, 'echo {device}']", "[/usr/bin/fish, --command=true]",
        ])
    func refused(command: String) {
        let messages = messages("exec: \(command)")
        #expect(messages.count == 1 && messages[0].hasPrefix("'exec' of handler 'run' "), "\(messages)")
    }

    @Test(
        "touch data is refused as an argument of a shell or of an interpreter's code",
        arguments: [
            "[/bin/sh, /opt/photo.sh, '{view}']", "[/usr/bin/env, bash, /opt/photo.sh, '{device}']",
            "[/usr/bin/python3, -c, 'print(\"{device}\")']", "[/usr/bin/perl, '-e{device}']",
            "[/usr/bin/sed, 's/x/{device}/', /etc/hosts]",
            "[/usr/bin/nice, -n, '5', /usr/bin/node, -e, '{x}']",
        ])
    func factsAsCode(command: String) {
        #expect(messages("exec: \(command)").count == 1)
    }

    @Test("a link to a shell is a shell, whatever it is called")
    func link() throws {
        let link = FileManager.default.temporaryDirectory.appending(path: "player-\(UUID().uuidString)").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/bin/bash")
        defer { try? FileManager.default.removeItem(atPath: link) }
        #expect(messages("exec: [\(link), -c, 'true']").count == 1)
        #expect(messages("exec: [\(link), /opt/photo.sh, '{view}']").count == 1)
    }

    @Test(
        "a script, or a name that only resembles a shell, is a normal program",
        arguments: [
            "[/usr/local/bin/photo, '{view}']", "[/bin/sh, /usr/local/bin/photo.sh, -c, 'text']",
            "[/usr/bin/logger, -t, sh, '{view}']", "[/usr/bin/fish-counter, -c, '3']", "[/bin/bash, --norc, /opt/a.sh]",
            "[/usr/bin/python3, /opt/photo.py, -c, '3', '{view}']", "[/usr/bin/env, -i, /opt/photo, '{view}']",
            "[/usr/bin/timeout, '5', /usr/bin/photo, '{x}']",
        ])
    func allowed(command: String) {
        #expect(messages("exec: \(command)") == [])
    }

    @Test(
        "a URL with a password in it is warned of, and no finding repeats the password",
        arguments: [
            ("example.org/", "every reader of the layout can read the password in this URL; use 'credential' instead"),
            ("exa mple.org/", "'exa mple.org' must be a host with an optional port, such as example.org:8080"),
        ])
    func passwordInURL(host: String, message: String) {
        #expect(messages("http: \"https://kiosk:s3cret@\(host)\"") == [message])
    }
}
