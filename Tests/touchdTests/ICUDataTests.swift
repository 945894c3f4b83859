import Foundation
import Testing

@testable import TestSupport

/// `make build` leaves most of ICU's data out of the programs (`packaging/icu-data`), so none of them may read it.
///
/// `Tests/Run/run` guards the data in every program of this target's tests; here are the commands that would show a mistake first.
@Suite("ICU's data")
struct ICUDataTests {
    @Test("the programs do not read it")
    func commands() throws {
        let folder = try TemporaryFolder()
        let library = folder.url.appending(path: "guard.so").path
        let source = TouchdProgram.root.appending(path: "Tests/touchdTests/Support/guard-icu.c").path
        let compiled = try TouchdProgram.run(["-shared", "-fPIC", "-o", library, source], program: "/usr/bin/cc")
        try #require(compiled.status == 0, "\(compiled.errors)")
        let journal = try ReplayedJournal(
            host: "hall", machine: "aaaa", recording: "config/recordings/quanta-optical.evemu")
        let files = [
            "PICTURE": folder.url.appending(path: "layout.svg").path,
            "JOURNAL": try folder.file("journal", journal.text).path,
        ]
        for line in [
            "--version --verbose", "help run", "--generate-completion-script bash", "devices",
            "check config/touchd.yaml", "check Tests/LayoutTests/Files/bad/argument-names.yaml",
            "decode --json config/recordings/quanta-optical.evemu",
            "run --layout config/touchd.yaml --replay config/recordings/quanta-optical.evemu --speed max",
            "hit 700 500 --explain --layout config/touchd.yaml", "render --layout config/touchd.yaml -o PICTURE",
            "status --socket /nonexistent", "inspect --layout /nonexistent --replay /nonexistent", "report JOURNAL",
            "report --json JOURNAL",
        ] {
            let outcome = try TouchdProgram.run(
                line.split(separator: " ").map { files[String($0)] ?? String($0) },
                environment: ["LD_PRELOAD": library, "GUARD_ICU": "print", "LANG": "de_DE.UTF-8"])
            // 33,972,224 with Swift 6.3.
            let sizes = outcome.errors.matches(of: /guarded: (\d+) bytes/).compactMap { Int($0.1) }
            #expect(sizes.first ?? 0 > 20_000_000 && outcome.status != SIGSEGV, "\(line)")
        }
    }
}
