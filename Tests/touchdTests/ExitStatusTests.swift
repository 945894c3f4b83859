import Foundation
import Testing

@testable import TestSupport
@testable import touchd

/// Every command with every cause that ends it: the status is that of `touchd help exit-status`.
@Suite final class ExitStatusTests {
    private let folder: TemporaryFolder

    /// The files that the commands are given.
    init() throws {
        folder = try TemporaryFolder()
        _ = try folder.file("good.yaml", "screen: {size: [1920, 1080]}\nviews: [{id: ok, frame: [0, 0, 100, 100]}]\n")
        _ = try folder.file("bad.yaml", "screen: {size: [1920, 1080]}\nviewz: []\n")
        _ = try folder.file("junk", "hello world\nfoo\n")
        _ = try folder.file("journal.json", "{\"__REALTIME_TIMESTAMP\": \"1\"}\n")
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "folder"), withIntermediateDirectories: false)
        try FileManager.default.copyItem(
            at: TouchdProgram.root.appending(path: "config/recordings/quanta-optical.evemu"),
            to: folder.url.appending(path: "panel.evemu"))
    }

    private func run(_ command: String, output: String? = nil) throws -> TouchdProgram.Outcome {
        let redirection = output.map { " >\($0)" } ?? ""
        return try TouchdProgram.run(
            ["-c", "'\(TouchdProgram.path)' \(command)\(redirection)"], program: "/bin/sh", in: folder.url)
    }

    static let causes: [(command: String, status: Int32)] = [
        // A file that is missing, a folder, or something else
        ("check nofile", 66), ("check folder", 66), ("check junk", 65), ("check bad.yaml", 65), ("check good.yaml", 0),
        ("check good.yaml bad.yaml nofile", 66), ("check panel.evemu", 65), ("check journal.json", 65),
        ("decode nofile", 66), ("decode folder", 66), ("decode junk", 65), ("decode good.yaml", 65),
        ("decode panel.evemu", 0),
        ("decode panel.evemu --device no", 65), ("decode panel.evemu --description nofile", 66),
        ("report nofile", 66), ("report folder", 66), ("report junk", 65), ("report good.yaml", 65),
        ("report panel.evemu", 65), ("report journal.json", 0), ("report journal.json -l bad.yaml", 65),
        ("hit 5 5 -l nofile", 66), ("hit 5 5 -l bad.yaml", 65), ("hit 5 5 -l good.yaml", 0),
        ("render -l nofile", 66), ("render -l good.yaml --heatmap nofile", 66), ("render -l panel.evemu", 65),
        ("run -l nofile", 66), ("run -l bad.yaml", 65), ("run -l good.yaml --replay nofile", 66),
        ("run -l good.yaml --replay good.yaml", 65), ("run -l good.yaml --replay panel.evemu --speed max", 0),
        ("calibrate --replay nofile", 66), ("calibrate --replay good.yaml", 65), ("calibrate --replay panel.evemu", 69),
        ("calibrate nofile", 66), ("record nofile", 66), ("record folder", 66), ("record /dev/null", 66),
        // Words
        ("monitr", 64), ("good.yaml", 64), ("start", 64), ("version", 64), ("run good.yaml", 64), ("check", 66),
        ("decode", 64),
        ("run --nope", 64), ("run --speed x", 64), ("run --output xml", 64), ("run --device x", 64),
        ("help nothing", 64),
        ("--version more", 64), ("--version", 0), ("--version --verbose", 0), ("--help", 0), ("help", 0),
        ("help exit-status", 0),
        ("status --json --metrics", 64), ("check good.yaml --socket s", 64), ("hit 5 5 -l good.yaml --socket s", 64),
        ("report journal.json -l good.yaml --svg y.png", 64), ("render -l good.yaml -o y.gif", 64), ("ignore 5x", 64),
        ("ignore 2d", 64), ("hit 5 -l good.yaml", 64), ("hit -5 5 -l good.yaml", 64), ("hit 1920 5 -l good.yaml", 64),
        ("hit 5 5 -l good.yaml -p no", 64),
        // What cannot be written
        ("render -l good.yaml -o none/x.svg", 73), ("render -l good.yaml -o none/x.png", 73),
        ("render -l good.yaml -o folder.svg/", 64),
        ("report journal.json -l good.yaml --svg none/x.svg", 73), ("schema >/dev/full", 74), ("--help >/dev/full", 74),
        ("check good.yaml >/dev/full", 74), ("decode panel.evemu >/dev/full", 74),
        ("report journal.json >/dev/full", 74),
        ("render -l good.yaml >/dev/full", 74), ("hit 5 5 -l good.yaml >/dev/full", 74), ("help check >/dev/full", 74),
        ("run -l good.yaml --replay panel.evemu --speed max >/dev/full", 74),
        ("devices --layout bad.yaml >/dev/full", 65),
        // No service
        ("status --socket no", 69), ("monitor --socket no", 69), ("reload --socket no", 69), ("go x --socket no", 69),
        ("ignore 5 --socket no", 69), ("check --running --socket no", 69), ("hit 5 5 --running --socket no", 69),
        ("record --running --socket no", 69), ("selftest --no-touchscreen --socket no", 1),
        ("status --socket good.yaml", 69), ("inspect --socket no --listen 0", 69),
        ("inspect --terminal --socket no", 69),
        ("inspect -l good.yaml", 64),
        ("exec-programs", 64), ("network", 64),
    ]

    @Test("each command ends with the status of its cause", arguments: causes)
    func status(command: String, status: Int32) throws {
        let outcome = try run(command)
        #expect(outcome.status == status, "\(outcome.errors)\(outcome.output)")
        #expect(status == 0 || status == 1 || !outcome.errors.isEmpty)
        #expect(ExitStatus.table.contains { $0.status == status })
    }

    @Test("what goes into a closed pipe ends as with SIGPIPE")
    func closedPipe() throws {
        for command in ["schema", "run -l good.yaml --replay panel.evemu --format json --speed max"] {
            let outcome = try TouchdProgram.run(
                ["-c", "(env --default-signal=PIPE '\(TouchdProgram.path)' \(command); echo $? >&2) | true"],
                program: "/bin/sh", in: folder.url)
            #expect(outcome.errors.hasSuffix("141\n"), "\(command): \(outcome.errors)")
        }
    }

    @Test("touchd(1) has the table of 'touchd help exit-status'")
    func manual() throws {
        let page = try TouchdProgram.run(
            ["-T", "ascii", "-O", "width=1000", "docs/man/touchd.1"], program: "/usr/bin/mandoc"
        ).output.replacing(/.\u{8}/, with: "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for row in ExitStatus.table {
            let text = "\(row.status) \(row.meaning)\(row.name.map { " (\($0))" } ?? "")"
            #expect(page.contains(text), "\(text)")
        }
    }

    @Test(
        "a file of another kind is named, with the command that reads it",
        arguments: [
            (
                "check panel.evemu",
                "panel.evemu: error: this is a recording, not a layout; show it with 'touchd decode panel.evemu'"
            ),
            ("check journal.json", "journal.json: error: this is an exported journal, not a layout; read it with"),
            ("report panel.evemu", "panel.evemu: error: this is a recording, not an exported journal; show it with"),
            (
                "report good.yaml",
                "good.yaml: error: this is a layout, not an exported journal; check it with 'touchd check good.yaml'"
            ),
            ("decode good.yaml", "good.yaml: error: this is a layout, not a recording; check it with"),
        ])
    func kinds(command: String, error: String) throws { #expect(try run(command).errors.contains(error)) }

    @Test(
        "a wrong word is answered with the right one",
        arguments: [
            ("monitr x", "there is no command 'monitr'; did you mean 'touchd monitor'?"),
            ("stauts --socket s", "did you mean 'touchd status'?"),
            ("kiosk.yaml", "did you mean 'touchd check kiosk.yaml' or 'touchd run --layout kiosk.yaml'?"),
            ("start", "run: systemctl start touchd"), ("version", "touchd --version prints it"),
            ("run k.yaml", "did you mean 'touchd run --layout k.yaml'?"),
            ("ignore 10m", "did you mean '10 min'?"), ("ignore 2d", "for at most 1 d"),
            ("ignore 5x", "Usage: touchd ignore <time>"),
            ("hit -10 20 -l good.yaml", "-10, 20 is not on the screen of 1920 × 1080 points"),
            ("hit 1 2 --nope -l good.yaml", "unknown option '--nope'"),
        ])
    func words(command: String, answer: String) throws { #expect(try run(command).errors.contains(answer)) }
}
