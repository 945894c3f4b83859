import Foundation
import Testing

/// `make build` leaves most of ICU's data out of the programs (`packaging/icu-data`).
@Suite("ICU's data")
struct ICUDataTests {
    @Test(
        "no command reads it",
        arguments: [
            "--version --verbose", "help run", "--generate-completion-script bash", "devices",
            "check config/touchd.yaml", "check Tests/LayoutTests/Files/bad/argument-names.yaml",
            "decode config/recordings/quanta-optical.evemu", "decode --json config/recordings/quanta-optical.evemu",
            "run --layout config/touchd.yaml --replay config/recordings/quanta-optical.evemu --speed max",
            "run --layout config/touchd.yaml --replay config/recordings/quanta-optical.evemu --speed max --output json",
            "hit 700 500 --explain --layout config/touchd.yaml", "render --layout config/touchd.yaml -o /dev/stdout",
            "report JOURNAL", "status --socket /nonexistent",
        ])
    func commands(line: String) throws {
        let folder = try TemporaryFolder()
        let journal = try ReplayedJournal(
            host: "hall", machine: "0123456789abcdef0123456789abcde0",
            recording: "config/recordings/quanta-optical.evemu")
        let file = try folder.file("journal", journal.text)
        let library = folder.url.appending(path: "guard.so").path
        let source = TouchdProgram.root.appending(path: "Tests/touchdTests/Support/guard-icu.c").path
        let compiled = try TouchdProgram.run(
            ["-shared", "-fPIC", "-o", library, source], program: "/usr/bin/cc")
        try #require(compiled.status == 0, "\(compiled.errors)")
        let arguments = line.split(separator: " ").map { $0 == "JOURNAL" ? file.path : String($0) }
        let guarded = try TouchdProgram.run(arguments, environment: ["LD_PRELOAD": library, "LANG": "de_DE.UTF-8"])
        let free = try TouchdProgram.run(arguments, environment: ["LANG": "de_DE.UTF-8"])
        // 33,972,224 with Swift 6.3.
        let sizes = guarded.errors.matches(of: /guarded: (\d+) bytes/).compactMap { Int($0.1) }
        #expect(sizes.first ?? 0 > 20_000_000)
        #expect(guarded.status == free.status)
        #expect(guarded.lines.count == free.lines.count)
    }
}
