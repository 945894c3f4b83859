import Layout
import Testing

/// What a layout's `exec:` cannot be.
@Suite("Shells in a layout") struct ShellTests {
    private func findings(_ command: String) -> [String] {
        let text = "screen: {size: [9, 9]}\non: {ended: run}\nhandlers:\n  run: {exec: \(command)}\n"
        do {
            return try LayoutDocument(text: text, file: "kiosk.yaml", handlers: ["log"]).warnings.map(\.message)
        } catch {
            return error.diagnostics.map(\.message)
        }
    }

    @Test(
        "a shell is given no text, neither by itself nor through another program",
        arguments: [
            "[/bin/sh, -c, 'echo {view}']", "[/usr/bin/bash, -ec, 'true']", "[/bin/dash, -x, -c, 'true']",
            "[/usr/bin/env, zsh, -c, 'true']", "[/usr/bin/setsid, /bin/sh, -lc, 'true']",
            "[/bin/busybox, sh, -c, 'true']", "{command: [/bin/sh, -c, 'true'], limit: 1}",
            "[/bin/bash, +x, -o, -c, 'true']",
        ])
    func refused(command: String) {
        #expect(findings(command).count == 1)
        #expect(findings(command).first?.contains("run a text, and facts and quotes do in that what they like") == true)
    }

    @Test(
        "a script is a program like any other, and so is what only looks like a shell",
        arguments: [
            "[/usr/local/bin/photo, '{view}']", "[/bin/sh, /usr/local/bin/photo.sh, -c, '{view}']",
            "[/usr/bin/logger, -t, sh, '{view}']", "[/usr/bin/fish-counter, -c, '3']", "[/bin/bash, --norc, /opt/a.sh]",
        ])
    func allowed(command: String) {
        #expect(findings(command) == [])
    }

    @Test("a URL with a password in it is warned of, and no finding repeats the password")
    func passwordInURL() {
        func findings(_ url: String) -> [String] {
            let text = "screen: {size: [9, 9]}\non: {ended: {http: \"\(url)\"}}\n"
            do {
                return try LayoutDocument(text: text, file: "k.yaml", handlers: ["log"]).warnings.map(\.message)
            } catch {
                return error.diagnostics.map(\.message)
            }
        }
        #expect(
            findings("https://kiosk:s3cret@example.org/") == [
                "who may read the layout may read the password in this URL; send a token by 'credential' instead"
            ])
        #expect(
            findings("https://kiosk:s3cret@exa mple.org/") == [
                "'exa mple.org' is no host with or without a port, as in example.org:8080"
            ])
    }
}
