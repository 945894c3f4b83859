import EventLoop
import Foundation
import Testing

@testable import TestSupport

/// docs/fleet.md in practice: two kiosks with certificates upload their journals to one collector on this machine.
@Suite(.needs("nginx-light"), .needs("systemd-journal-remote"), .needs("ansible-core")) struct Fleet {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Runs a program to its end and returns its output.
    private func output(_ path: String, _ arguments: [String]) throws -> String {
        let outcome = try TouchdProgram.run(arguments, program: path, in: folder.url)
        try #require(outcome.status == 0, "\(path) \(arguments): \(outcome.errors)")
        return outcome.output
    }

    /// The collector of docs/fleet.md: nginx with the guide's configuration in front of systemd-journal-remote, which
    /// gets its local socket as systemd would pass it.
    private final class Collector {
        let journal: URL
        let port: Int
        private let remote, nginx: Server

        /// - Parameter folder: Has the certificates; gets everything else.
        init(in folder: URL) throws {
            journal = folder.appending(path: "kiosks.journal")
            let path = folder.appending(path: "remote").path
            let listener = try Self.listener(at: path)
            // The socket is passed like systemd-journal-remote.socket's: descriptor 3, with the process that it is for.
            remote = try Server(
                [
                    "/bin/sh", "-c",
                    "exec 3<&0 </dev/null; LISTEN_FDS=1 LISTEN_PID=$$ exec /lib/systemd/systemd-journal-remote "
                        + "--listen-http=-3 --split-mode=none --output='\(journal.path)'",
                ], input: listener)

            port = freePort()
            let block = try GuideBlock.blocks(of: "docs/fleet.md").first { $0.language == "nginx" }
            let server = try #require(block).text
                .replacing("/etc/ssl/certs/", with: "\(folder.path)/")
                .replacing("/etc/ssl/private/", with: "\(folder.path)/")
                .replacing("/run/journal-remote.sock", with: path)
                .replacing("listen 19532", with: "listen 127.0.0.1:\(port)")
            let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map {
                "\($0)_temp_path \(folder.path)/nginx-\($0);"
            }
            try Data(
                """
                daemon off; pid \(folder.path)/nginx.pid; error_log stderr; events {}
                http { access_log off; \(temporary.joined(separator: " "))
                \(server)}
                """.utf8
            ).write(to: folder.appending(path: "nginx.conf"))
            nginx = try Server([
                "/usr/sbin/nginx", "-e", "stderr", "-c", folder.appending(path: "nginx.conf").path,
            ])
        }

        /// Ends both; the journal is complete afterwards.
        func end() { for program in [nginx, remote] { program.end(SIGTERM) } }

        // nginx would leave its workers if it were killed.
        deinit { end() }

        private static func listener(at path: String) throws -> FileHandle {
            let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            let isBound = LocalAddress(path)?.withSockaddr { bind(descriptor, $0, $1) } == 0
            try #require(isBound && listen(descriptor, 8) == 0, "errno \(errno)")
            // nginx's workers run as another user if this test runs as root.
            chmod(path, 0o666)
            return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        }
    }

    /// Makes the certificates with the guide's commands, for a collector at localhost.
    private func makeCertificates() throws {
        let block = try GuideBlock.blocks(of: "docs/fleet.md").first { $0.language == "bash" }
        let commands = try #require(block).text
        _ = try output("/bin/bash", ["-euc", commands.replacing("in collector.example ", with: "in localhost ")])
        for end in ["key", "pem"] {
            try FileManager.default.copyItem(
                at: folder.url.appending(path: "localhost.\(end)"),
                to: folder.url.appending(path: "collector.example.\(end)"))
        }
    }

    /// The HTTP status for an entry that is sent with these options of curl; waits until nginx listens.
    private func status(of options: [String], port: Int) throws -> String {
        let entry = try folder.file(
            "forged.export", "__REALTIME_TIMESTAMP=1793491200000000\nMESSAGE=forged\n_HOSTNAME=hall\n\n")
        return try output(
            "/usr/bin/curl",
            [
                "--silent", "--retry", "600", "--retry-delay", "1", "--retry-connrefused", "--output", "/dev/null",
                "--write-out", "%{http_code}", "--cacert", "fleet-ca.pem", "--data-binary", "@\(entry.path)",
                "--header", "Content-Type: application/vnd.fdo.journal",
            ] + options + ["https://localhost:\(port)/upload"])
    }

    /// Runs the guide's playbook on kiosks of this machine, with a layout; returns its exit status and output.
    private func roll(_ layout: String, to kiosks: [RunningTouchd]) throws -> TouchdProgram.Outcome {
        let block = try GuideBlock.blocks(of: "docs/fleet.md").first { $0.language == "yml" }
        let playbook = try #require(block).text
            .replacing("become: true", with: "gather_facts: false")
            .replacing("    file: /etc/touchd/touchd.yaml\n    socket: /run/touchd/control\n", with: "")
            .replacing("\"touchd ", with: "\"\(TouchdProgram.path) ")
        _ = try folder.file("touchd.yaml", layout)
        let hosts = kiosks.enumerated().map { number, kiosk in
            "kiosk-\(number + 1) ansible_connection=local file=\(kiosk.layout.path) socket=\(kiosk.control)"
        }
        let inventory = try folder.file("kiosks.ini", "[kiosks]\n" + hosts.joined(separator: "\n") + "\n")
        let file = try folder.file("layout.yml", playbook)
        return try TouchdProgram.run(
            ["--inventory", inventory.path, file.path],
            environment: ["LC_ALL": "C.UTF-8", "ANSIBLE_HOME": folder.url.path], program: "/usr/bin/ansible-playbook")
    }

    @Test("the playbook gives all kiosks a new layout, and stops at the first kiosk with an error")
    func playbook() throws {
        func layout(_ version: String) -> String {
            "screen: {size: [10, 10]}\nversion: \(version)\nviews: [{id: a, frame: [0, 0, 10, 10], on: {began: log}}]\n"
        }
        let kiosks = try (1...2).map { _ in try RunningTouchd(layout: layout("41")) }
        func versions() throws -> [String?] {
            try kiosks.map { kiosk in
                let text = try kiosk.command("status", "--json").output
                let status = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
                return status?["layoutVersion"] as? String
            }
        }
        for kiosk in kiosks { _ = kiosk.notifications(until: "READY=1") }

        let good = try roll(layout("42"), to: kiosks)
        #expect(good.status == 0, "\(good.output)")
        #expect(try versions() == ["42", "42"])

        let bad = try roll(layout("43") + "wiews: []\n", to: kiosks)
        #expect(bad.status != 0)
        #expect(bad.output.contains("unknown key 'wiews'"))
        #expect(!bad.output.contains("kiosk-2 "))
        #expect(try versions() == ["42", "42"])
        #expect(try String(contentsOf: kiosks[0].layout, encoding: .utf8) == layout("42"))
    }

    @Test(
        "the collector's merged journal has the touches of both kiosks, and nothing of a sender without a certificate")
    func collector() throws {
        let kiosks = [
            try ReplayedJournal(
                host: "hall", machine: String(repeating: "a", count: 32),
                recording: "config/recordings/quanta-optical.evemu"),
            try ReplayedJournal(
                host: "shop", machine: String(repeating: "c", count: 32),
                recording: "config/examples/recordings/ticket-machine.evemu",
                layout: "config/examples/ticket-machine.yaml", boot: String(repeating: "c", count: 32)),
        ]
        try makeCertificates()
        let collector = try Collector(in: folder.url)
        // A certificate of another authority with the name of a kiosk.
        _ = try output(
            "/bin/bash",
            [
                "-euc",
                "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -subj /CN=kiosk-1 "
                    + "-keyout forged.key -out forged.pem",
            ])
        #expect(try status(of: [], port: collector.port) == "400")
        #expect(try status(of: ["--cert", "forged.pem", "--key", "forged.key"], port: collector.port) == "400")

        for (index, kiosk) in kiosks.enumerated() {
            let export = try folder.file("kiosk-\(index).export", kiosk.text)
            let journal = folder.url.appending(path: "kiosk-\(index)")
            try FileManager.default.createDirectory(at: journal, withIntermediateDirectories: true)
            _ = try output(
                "/lib/systemd/systemd-journal-remote",
                ["--split-mode=none", "--output=\(journal.path)/system.journal", export.path])
            _ = try output(
                "/lib/systemd/systemd-journal-upload",
                [
                    "--url=https://localhost:\(collector.port)", "--directory=\(journal.path)", "--follow=no",
                    "--key=\(folder.url.path)/kiosk-\(index + 1).key",
                    "--cert=\(folder.url.path)/kiosk-\(index + 1).pem",
                    "--trust=\(folder.url.path)/fleet-ca.pem", "--save-state=\(journal.path)/state",
                ])
        }
        collector.end()

        let merged = try output("/bin/journalctl", ["--file=\(collector.journal.path)", "--output=export"])
        let file = try folder.file("merged.export", merged)
        #expect(!merged.contains("MESSAGE=forged"))
        let report = try TouchdProgram.run(["report", "-"], input: file)
        #expect(report.status == 0 && report.errors == "")
        #expect(report.output.hasPrefix("2 kiosks, \(kiosks[0].touches + kiosks[1].touches) touches, "))
        #expect(report.output.contains("\nhall: \(kiosks[0].touches) touches\n"))
        #expect(report.output.contains("\nshop: \(kiosks[1].touches) touches\n"))
        #expect(kiosks.allSatisfy { $0.touches > 5 })

        // JSON, the other form of a merged journal, gives the same result.
        let json = try folder.file(
            "merged.json",
            output("/bin/journalctl", ["--file=\(collector.journal.path)", "--output=json"]))
        #expect(try TouchdProgram.run(["report"], input: json).output == report.output)
    }
}
