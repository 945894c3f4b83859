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
            "[/usr/bin/watch, 'echo {view}']", "[/usr/bin/env, -S, 'sh -c {view}']", "[/usr/bin/env, -iS, 'sh x']",
            "[/usr/bin/ssh, kiosk@example.org, 'echo {view}']", "[/usr/bin/fish, --command=true]",
            "[/usr/bin/flock, -n, /run/lock/a, -c, 'echo {view}']", "[/usr/sbin/capsh, --, -c, 'echo {view}']",
            "[/bin/sh, -c, '{view}']",
        ])
    func refused(command: String) {
        let messages = messages("exec: \(command)")
        #expect(messages.count == 1 && messages[0].hasPrefix("'exec' of handler 'run' "), "\(messages)")
    }

    @Test(
        "touch data is refused as an argument of a shell or of an interpreter's code",
        arguments: [
            "[/bin/sh, /opt/photo.sh, '{view}']", "[/usr/bin/env, bash, /opt/photo.sh, '{page}']",
            "[/usr/bin/python3, -c, 'print(\"{view}\")']", "[/usr/bin/perl, '-e{view}']",
            "[/usr/bin/sed, 's/x/{view}/', /etc/hosts]",
            "[/usr/bin/nice, -n, '5', /usr/bin/node, -e, '{gesture}']",
            "[/usr/bin/perl, -we, 'print {view}']", "[/usr/bin/python3, -Ic, '{view}']",
            "[/usr/bin/git, -c, 'alias.x=!echo {view}', x]",
            "[/usr/bin/tar, cf, /dev/null, '--checkpoint-action=exec=echo {view}', /etc/hostname]",
        ])
    func factsAsCode(command: String) {
        #expect(messages("exec: \(command)").count == 1)
    }

    private static func refusal(_ name: String, _ variable: String) -> String {
        "{\(name)} may be a text from outside, which is not allowed in an argument of a program; let the program read "
            + "$\(variable), or give it the text on standard input: exec: {command: […], input: \"{\(name)}\"}"
    }

    @Test("a device's name is refused in a program's argument, and the error has the new form")
    func textsFromOutside() {
        #expect(messages("exec: [/opt/photo, 'name={device}']") == [Self.refusal("device", "TOUCHD_DEVICE")])
        #expect(messages("exec: {command: [/opt/photo, '{view}', '{x}'], input: '{device}'}") == [])
    }

    @Test("a handler's argument is refused in a program's if it may contain a device's name or a published text")
    func passedTexts() {
        func findings(_ rest: String) -> [String] {
            let text = """
                screen: {size: [9, 9]}
                views: [{slot: {name: page, handlers: [buy]}, frame: [0, 0, 9, 9]}]
                handlers:
                  a: {exec: [/opt/photo, "{kind}", "{label-2}"]}
                \(rest)
                """
            return LayoutDocument.check(text: text, file: "k.yaml", handlers: ["log"]).findings.map(\.description)
        }
        func error(_ place: String, _ name: String, _ variable: String) -> String {
            "k.yaml:\(place): error: \(Self.refusal(name, variable))"
        }
        let (kind, label) = (error("4:26", "kind", "TOUCHD_WITH_KIND"), error("4:36", "label-2", "TOUCHD_WITH_LABEL_2"))
        // What the layout itself passes is as good as its own words.
        #expect(findings("  buy: {run: a, with: {kind: \"-v\", label-2: \"{view}\"}}") == [])
        #expect(findings("  buy: {run: a, with: {kind: \"{device}\", label-2: \"{x}\"}}") == [kind])
        #expect(findings("  buy: {run: a, with: {kind: \"{what}\", label-2: \"a {who}\"}}") == [kind, label])
        let between = "  b: {run: a, with: {kind: \"{k}\", label-2: \"{l}\"}}\n"
        #expect(findings(between + "  buy: {run: b, with: {k: 1, l: \"{q}\"}}") == [label])
        #expect(findings("  buy: [{run: a, with: {kind: 1, label-2: 2}}, {exec: [/opt/photo, '{n}']}]").count == 1)
    }

    @Test("a NUL character is refused where it is read, because it would end the argument")
    func nul() {
        let handler = "run: log, with: {a: \"x\\0y\"}"
        #expect(messages("exec: [/opt/photo, \"x\\0y\"]") == ["an argument of handler 'run' contains a NUL character"])
        #expect(messages(handler) == ["argument 'a' contains a NUL character; remove it"])
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
            "[/usr/bin/timeout, '5', /usr/bin/photo, '{x}']", "[/usr/bin/awk, 'BEGIN {{ print {x} / {y} }}']",
            "[/usr/bin/flock, /run/lock/a, /opt/photo, -c, '{view}']", "[/usr/bin/git, -C, /srv/a, tag, '{page}']",
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
