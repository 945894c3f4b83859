import Foundation
import Testing

/// `make build ICU=root` leaves most of ICU's data out of the programs (`packaging/icu-data`).
///
/// Only dates need data, which it keeps: `report` writes them, and a start with the last good layout.
@Suite("ICU's data")
struct ICUDataTests {
    @Test(
        "commands that write no date do not read it",
        arguments: [
            "--version --verbose", "help run", "--generate-completion-script bash", "devices",
            "check config/touchd.yaml", "check Tests/LayoutTests/Files/bad/argument-names.yaml",
            "decode config/recordings/quanta-optical.evemu", "decode --json config/recordings/quanta-optical.evemu",
            "run --layout config/touchd.yaml --replay config/recordings/quanta-optical.evemu --speed max",
            "run --layout config/touchd.yaml --replay config/recordings/quanta-optical.evemu --speed max --output json",
            "hit 700 500 --explain --layout config/touchd.yaml", "render --layout config/touchd.yaml -o PICTURE",
            "status --socket /nonexistent",
        ])
    func commands(line: String) throws {
        let folder = try TemporaryFolder()
        let library = folder.url.appending(path: "guard.so").path
        let source = TouchdProgram.root.appending(path: "Tests/touchdTests/Support/guard-icu.c").path
        let compiled = try TouchdProgram.run(
            ["-shared", "-fPIC", "-o", library, source], program: "/usr/bin/cc")
        try #require(compiled.status == 0, "\(compiled.errors)")
        let picture = folder.url.appending(path: "layout.svg").path
        let arguments = line.split(separator: " ").map { $0 == "PICTURE" ? picture : String($0) }
        let guarded = try TouchdProgram.run(arguments, environment: ["LD_PRELOAD": library, "LANG": "de_DE.UTF-8"])
        let free = try TouchdProgram.run(arguments, environment: ["LANG": "de_DE.UTF-8"])
        // 33,972,224 with Swift 6.3.
        let sizes = guarded.errors.matches(of: /guarded: (\d+) bytes/).compactMap { Int($0.1) }
        #expect(sizes.first ?? 0 > 20_000_000)
        #expect(guarded.status == free.status)
        #expect(guarded.lines.count == free.lines.count)
    }
}
