import Foundation
import Testing

@testable import TestSupport

/// The files that `make install` installs and `make uninstall` removes.
@Suite final class Install {
    /// The machine's root in the test; make splits arguments at spaces, so its name has none.
    private let root = FileManager.default.temporaryDirectory.appending(path: "touchd-\(UUID().uuidString)").path

    deinit { try? FileManager.default.removeItem(atPath: root) }

    /// Runs a target with the program that was built beside these tests.
    private func make(_ target: String, prefix: String = "/usr") throws -> TouchdProgram.Outcome {
        // The environment of a make that runs these tests must not reach this make.
        try TouchdProgram.run(
            [
                "--silent", target, "DESTDIR=\(root)", "PREFIX=\(prefix)",
                "BINARY=\(TouchdProgram.path)",
            ], environment: ["MAKEFLAGS": "", "MAKELEVEL": ""], program: "/usr/bin/make")
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

    @Test("it installs programs, units, manual, completions, schema and examples")
    func installed() throws {
        #expect(try make("install").status == 0)

        let wanted: Set = [
            "/usr/bin/touchd", "/usr/libexec/touchd-inspect", "/usr/libexec/touchd-web", "/etc/touchd/touchd.yaml",
            "/usr/lib/systemd/system/touchd.service", "/usr/lib/systemd/system/touchd@.service",
            "/usr/lib/systemd/system/touchd.socket", "/usr/lib/systemd/system/touchd@.socket",
            "/usr/lib/systemd/system/touchd-exec.socket", "/usr/lib/systemd/system/touchd-exec@.socket",
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
            "/usr/share/doc/touchd/examples/touchd-emit.conf",
            "/usr/share/doc/touchd/examples/touchd-forward.conf",
            "/usr/share/doc/touchd/examples/70-touchd-forward.rules",
            "/usr/share/doc/touchd/examples/ticket-machine.yaml", "/usr/share/doc/touchd/examples/web-kiosk/index.html",
            "/usr/share/doc/touchd/examples/recordings/quanta-optical.evemu",
        ]
        #expect(try wanted.subtracting(files()) == [])
    }

    @Test("the files of every further Debian package are installed")
    func packages() throws {
        #expect(try make("install").status == 0)

        let folder = TouchdProgram.root.appending(path: "packaging/debian")
        let lists = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "install" }
        try #require(!lists.isEmpty)
        for list in lists {
            let paths = try String(contentsOf: list, encoding: .utf8).split(separator: "\n").map { "/\($0)" }
            #expect(try !paths.isEmpty && Set(paths).subtracting(files()) == [], "\(list.lastPathComponent)")
        }
    }

    @Test("all users may read the installed files; only the owner may write them")
    func modes() throws {
        #expect(try make("install").status == 0)

        for file in try files() {
            let attributes = try FileManager.default.attributesOfItem(atPath: root + file)
            let mode = try #require(attributes[.posixPermissions] as? Int)
            let isProgram = ["/usr/bin/touchd", "/usr/libexec/touchd-inspect", "/usr/libexec/touchd-web"].contains(file)
            #expect(mode == (isProgram ? 0o755 : 0o644), "\(file)")
        }
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
        let system = "/opt/touchd/lib/systemd/system"
        #expect(
            try text("\(system)/touchd.service").contains(
                "\nExecStart=/opt/touchd/bin/touchd run --layout /etc/touchd/touchd.yaml --output journal\n"))
        #expect(
            try text("\(system)/touchd@.service").contains(
                "\nExecStart=/opt/touchd/bin/touchd run --layout /etc/touchd/%i.yaml --output journal\n"))
        #expect(try text("\(system)/touchd@.service").contains("\nRuntimeDirectory=touchd-%i\n"))
        #expect(try text("\(system)/touchd@.socket").contains("\nListenStream=/run/touchd-%i/control\n"))
        // The touchd of a seat uses the socket of that seat's touchd-exec@.socket.
        #expect(
            try text("\(system)/touchd@.service").contains("\nEnvironment=TOUCHD_EXEC_SOCKET=/run/touchd-%i.exec\n"))
        #expect(try text("\(system)/touchd-exec@.socket").contains("\nListenSequentialPacket=/run/touchd-%i.exec\n"))
        #expect(try text("\(system)/touchd-exec@.service").contains("\nPartOf=touchd@%i.service\n"))
        #expect(
            try text("\(system)/touchd-web.service").contains(
                "\nExecStart=/opt/touchd/libexec/touchd-web --settings /etc/touchd/web.yaml --socket /run/touchd/control\n"
            ))
        #expect(
            try text("\(system)/touchd-web@.service").contains(
                "\nExecStart=/opt/touchd/libexec/touchd-web --settings /etc/touchd/web-%i.yaml "
                    + "--socket /run/touchd-%i/control\n"))
        #expect(try text("\(system)/touchd-web@.service").contains("\nRequires=touchd-web@%i.socket\n"))
    }

    @Test("an existing layout is kept by another install and by uninstall")
    func uninstalled() throws {
        #expect(try make("install").status == 0)
        let layout = root + "/etc/touchd/touchd.yaml"
        try Data("# ours\n".utf8).write(to: URL(filePath: layout))

        let again = try make("install")
        #expect(again.status == 0 && again.output.contains("keeping \(layout)"))
        #expect(try text("/etc/touchd/touchd.yaml") == "# ours\n")

        #expect(try make("uninstall").status == 0)
        #expect(try files() == ["/etc/touchd/touchd.yaml"])
    }

    @Test("completions are valid for bash")
    func bashCompletions() throws {
        try checkCompletions("bash", "-n", "usr/share/bash-completion/completions/touchd")
    }

    @Test("completions are valid for zsh", .needs("zsh"))
    func zshCompletions() throws { try checkCompletions("zsh", "-n", "usr/share/zsh/site-functions/_touchd") }

    @Test("completions are valid for fish", .needs("fish"))
    func fishCompletions() throws {
        try checkCompletions("fish", "--no-execute", "usr/share/fish/vendor_completions.d/touchd.fish")
    }

    private func checkCompletions(_ shell: String, _ option: String, _ file: String) throws {
        #expect(try make("install").status == 0)

        let outcome = try TouchdProgram.run([shell, option, "\(root)/\(file)"], program: "/usr/bin/env")
        #expect(outcome.status == 0 && outcome.errors == "")
    }

    @Test("bash with completions completes the name of a command")
    func bashCompletes() throws {
        try checkCompletedName([
            "bash", "-c",
            """
            source "$0/usr/share/bash-completion/completions/touchd"
            COMP_WORDS=(touchd rel) COMP_CWORD=1 COMP_LINE='touchd rel' COMP_POINT=10
            _touchd touchd rel touchd && echo "${COMPREPLY[@]}"
            """,
        ])
    }

    @Test("fish with completions completes the name of a command", .needs("fish"))
    func fishCompletes() throws {
        try checkCompletedName([
            "fish", "--no-config", "-c",
            """
            source $argv[1]/usr/share/fish/vendor_completions.d/touchd.fish
            complete -C 'touchd rel' | string split -f 1 \\t
            """,
        ])
    }

    private func checkCompletedName(_ shell: [String]) throws {
        #expect(try make("install").status == 0)

        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let outcome = try TouchdProgram.run(
            shell + [root], environment: ["PATH": "\(root)/usr/bin:\(path)"],
            program: "/usr/bin/env")
        #expect(outcome.lines == ["reload"], "\(outcome.errors)")
    }
}
