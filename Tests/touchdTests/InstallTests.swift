import Foundation
import Testing

@testable import TestSupport

/// The files that `make install` installs and `make uninstall` removes.
@Suite final class Install {
    /// The machine's root in the test.
    private let root = "\(InstalledRoot.newPath()) with blanks"

    deinit { try? FileManager.default.removeItem(atPath: root) }

    private func make(_ target: String, prefix: String = "/usr") throws -> TouchdProgram.Outcome {
        try TouchdProgram.make(target, in: root, prefix: prefix)
    }

    /// The files in the folder, with their paths on the machine.
    private func files() throws -> Set<String> {
        let names = try FileManager.default.subpathsOfDirectory(atPath: root)
        return Set(
            names.filter { name in
                var isFolder: ObjCBool = false
                return FileManager.default.fileExists(atPath: "\(root)/\(name)", isDirectory: &isFolder)
                    && !isFolder.boolValue
            }.map { "/\($0)" })
    }

    private func text(_ file: String) throws -> String { try String(contentsOfFile: root + file, encoding: .utf8) }

    @Test("it installs programs, units, manual, completions, schema and examples, which all users may read")
    func installed() throws {
        #expect(try make("install").status == 0)

        let wanted: Set = [
            "/usr/bin/touchd", "/usr/libexec/touchd-inspect", "/usr/libexec/touchd-web", "/etc/touchd/touchd.yaml",
            "/usr/lib/systemd/system/touchd.service", "/usr/lib/systemd/system/touchd@.service",
            "/usr/lib/systemd/system/touchd.socket", "/usr/lib/systemd/system/touchd@.socket",
            "/usr/lib/systemd/system/touchd-exec.socket", "/usr/lib/systemd/system/touchd-exec@.socket",
            "/usr/lib/systemd/system/touchd-network.socket", "/usr/lib/systemd/system/touchd-network@.socket",
            "/usr/lib/systemd/system/touchd-network.service", "/usr/lib/systemd/system/touchd-network@.service",
            "/usr/lib/systemd/system/touchd-web.socket", "/usr/lib/systemd/system/touchd-web.service",
            "/usr/lib/systemd/system/touchd-web@.socket", "/usr/lib/systemd/system/touchd-web@.service",
            "/usr/share/man/man8/touchd-web.8",
            "/usr/lib/systemd/system/touchd-exec.service", "/usr/lib/systemd/system/touchd-exec@.service",
            "/usr/lib/sysusers.d/touchd.conf", "/usr/lib/tmpfiles.d/touchd.conf",
            "/usr/lib/systemd/catalog/touchd.catalog",
            "/usr/share/man/man1/touchd.1", "/usr/share/man/man5/touchd.yaml.5",
            "/usr/share/man/man7/touchd.journal-fields.7", "/usr/share/man/man7/touchd-control.7",
            "/usr/share/bash-completion/completions/touchd", "/usr/share/zsh/site-functions/_touchd",
            "/usr/share/fish/vendor_completions.d/touchd.fish", "/usr/share/touchd/touchd.schema.json",
            "/usr/lib/systemd/system/touchd-metrics.timer", "/usr/lib/systemd/system/touchd-metrics.service",
            "/usr/lib/systemd/system/touchd-day.timer", "/usr/lib/systemd/system/touchd-day.service",
            "/usr/lib/systemd/system/touchd-day-send.service",
            "/usr/share/doc/touchd/examples/touchd-emit.conf",
            "/usr/share/doc/touchd/examples/touchd-forward.conf",
            "/usr/share/doc/touchd/examples/70-touchd-forward.rules",
            "/usr/share/doc/touchd/examples/ticket-machine.yaml", "/usr/share/doc/touchd/examples/web-kiosk/index.html",
            "/usr/share/doc/touchd/examples/recordings/quanta-optical.evemu",
        ]
        #expect(try wanted.subtracting(files()) == [])

        // The files of every further Debian package.
        let folder = TouchdProgram.root.appending(path: "packaging/debian")
        let lists = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "install" }
        try #require(!lists.isEmpty)
        for list in lists {
            let paths = try String(contentsOf: list, encoding: .utf8).split(separator: "\n").map { "/\($0)" }
            #expect(try !paths.isEmpty && Set(paths).subtracting(files()) == [], "\(list.lastPathComponent)")
        }
        // All users may read them; only the owner may write them.
        for file in try files() {
            let attributes = try FileManager.default.attributesOfItem(atPath: root + file)
            let mode = try #require(attributes[.posixPermissions] as? Int)
            let isProgram = ["/usr/bin/touchd", "/usr/libexec/touchd-inspect", "/usr/libexec/touchd-web"].contains(file)
            #expect(mode == (isProgram ? 0o755 : 0o644), "\(file)")
        }
        // Secrets are in files that the administrator may forget to protect.
        let secrets = try FileManager.default.attributesOfItem(atPath: root + "/etc/touchd/credentials")
        #expect(secrets[.posixPermissions] as? Int == 0o700)
    }

    @Test("units and drop-ins name the given paths, and no placeholder is left")
    func places() throws {
        #expect(try make("install", prefix: "/opt/touchd").status == 0)

        let units = try files().filter { $0.hasSuffix(".conf") || $0.contains("/systemd/system/") }
        try #require(units.count >= 6)
        for unit in units {
            #expect(try text(unit).firstMatch(of: /@[A-Z]+@/) == nil, "\(unit)")
            #expect(try !text(unit).contains("=/usr/bin/touchd"), "\(unit)")
        }
        for (unit, line) in [
            ("touchd", "ExecStart=/opt/touchd/bin/touchd run --layout /etc/touchd/touchd.yaml --format journal"),
            ("touchd@", "ExecStart=/opt/touchd/bin/touchd run --layout /etc/touchd/%i.yaml --format journal"),
            ("touchd@", "RuntimeDirectory=touchd-%i"),
            // The touchd of a seat uses the socket of that seat's touchd-exec@.socket.
            ("touchd@", "Environment=TOUCHD_EXEC_SOCKET=/run/touchd-%i.exec"),
            ("touchd-exec@", "PartOf=touchd@%i.service"),
            ("touchd", "Environment=TOUCHD_NETWORK_SOCKET=/run/touchd.network"),
            ("touchd@", "Environment=TOUCHD_NETWORK_SOCKET=/run/touchd-%i.network"),
            ("touchd-network", "ExecStart=/opt/touchd/bin/touchd network"),
            (
                "touchd-network@",
                "InaccessiblePaths=-/run/touchd-%i -/run/touchd-%i.exec -/etc/touchd/credentials"
            ), ("touchd-network@", "Requires=touchd-network@%i.socket"),
            (
                "touchd-web",
                "ExecStart=/opt/touchd/libexec/touchd-web --settings /etc/touchd/web.yaml --socket /run/touchd/control"
            ),
            (
                "touchd-web@",
                "ExecStart=/opt/touchd/libexec/touchd-web --settings /etc/touchd/web-%i.yaml "
                    + "--socket /run/touchd-%i/control"
            ), ("touchd-web@", "Requires=touchd-web@%i.socket"),
        ] {
            #expect(try text("/opt/touchd/lib/systemd/system/\(unit).service").contains("\n\(line)\n"), "\(unit)")
        }
        for (unit, line) in [
            ("touchd@", "ListenStream=/run/touchd-%i/control"),
            ("touchd-exec@", "ListenSequentialPacket=/run/touchd-%i.exec"),
            ("touchd-network@", "ListenSequentialPacket=/run/touchd-%i.network"),
        ] {
            #expect(try text("/opt/touchd/lib/systemd/system/\(unit).socket").contains("\n\(line)\n"), "\(unit)")
        }
    }

    @Test("an existing layout is kept by another install and by uninstall")
    func uninstalled() throws {
        try InstalledRoot.make(at: root)
        let layout = root + "/etc/touchd/touchd.yaml"
        try Data("# ours\n".utf8).write(to: URL(filePath: layout))

        let again = try make("install")
        #expect(again.status == 0 && again.output.contains("keeping \(layout)"))
        #expect(try text("/etc/touchd/touchd.yaml") == "# ours\n")

        #expect(try make("uninstall").status == 0)
        #expect(try files() == ["/etc/touchd/touchd.yaml"])
    }

    @Test("completions for bash are valid, and complete the names of commands and keys")
    func bash() throws {
        try checkCompletions("share/bash-completion/completions/touchd", ["bash", "-n"])
        try checkCompletedName(
            [
                "bash", "-c",
                """
                source "$0/usr/share/bash-completion/completions/touchd"
                COMP_WORDS=(touchd rel) COMP_CWORD=1 COMP_LINE='touchd rel' COMP_POINT=10
                _touchd touchd rel touchd && echo "${COMPREPLY[@]}"
                COMP_WORDS=(touchd help exclu) COMP_CWORD=2 COMP_LINE='touchd help exclu' COMP_POINT=17 COMPREPLY=()
                _touchd touchd exclu help && echo "${COMPREPLY[@]}"
                COMP_WORDS=(touchd help view.sl) COMP_CWORD=2 COMP_LINE='touchd help view.sl' COMP_POINT=19 COMPREPLY=()
                _touchd touchd view.sl help && echo "${COMPREPLY[@]}"
                """,
            ], ["reload", "exclusive-touch", "view.slop view.slot"])
    }

    @Test("completions for fish are valid, and complete the name of a command", .needs("fish"))
    func fish() throws {
        try checkCompletions("share/fish/vendor_completions.d/touchd.fish", ["fish", "--no-execute"])
        try checkCompletedName([
            "fish", "--no-config", "-c",
            """
            source $argv[1]/usr/share/fish/vendor_completions.d/touchd.fish
            complete -C 'touchd rel' | string split -f 1 \\t
            """,
        ])
    }

    @Test("completions for zsh are valid", .needs("zsh"))
    func zsh() throws { try checkCompletions("share/zsh/site-functions/_touchd", ["zsh", "-n"]) }

    @Test(
        "completions name the command help once, although ArgumentParser appends its own",
        arguments: [
            ("bash", ["'run help ", "\n_touchd_help() {"]), ("zsh", ["'help:", "\n_touchd_help() {"]),
            ("fish", ["-fa 'help'"]),
        ])
    func helpOnce(_ shell: String, _ texts: [String]) throws {
        let script = try TouchdProgram.run(["--generate-completion-script", shell]).output
        for text in texts { #expect(script.ranges(of: text).count == 1, "\(text)") }
        #expect(!script.contains(" ignore help") && !script.contains("subcommand help information"))
    }

    private func checkCompletions(_ file: String, _ shell: [String]) throws {
        try InstalledRoot.make(at: root)
        let outcome = try TouchdProgram.run(shell + ["\(root)/usr/\(file)"], program: "/usr/bin/env")
        #expect(outcome.status == 0 && outcome.errors == "")
    }

    private func checkCompletedName(_ shell: [String], _ names: [String] = ["reload"]) throws {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let outcome = try TouchdProgram.run(
            shell + [root], environment: ["PATH": "\(root)/usr/bin:\(path)"], program: "/usr/bin/env")
        #expect(outcome.lines == names, "\(outcome.errors)")
    }
}
