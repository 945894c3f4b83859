import Foundation
import LabSupport
import Testing

@testable import TestSupport

/// touchd's Debian packages: installed, upgraded with a finger down, removed and purged.
///
/// `Tests/Lab/package.sh` has the steps.
@Suite(
    "touchd's package, in a container", .needsContainer,
    .disabled(if: LabRun.packages == nil, "TOUCHD_LAB_PACKAGES names no packages; 'make test-deb' makes them"))
struct PackageTests {
    private let run: LabRun

    init() async throws { run = try await LabRun.package.value }

    @Test("after installation the service runs with the screen, and is enabled at boot")
    func installed() throws {
        #expect(
            try run.lines("installed")
                == ["touchd.service loaded active 0", "touchd.socket loaded inactive", "enabled"])
        #expect(try run.lines("status").contains { $0.hasSuffix("Status: \"Reading 1 device\"") })
        #expect(try run.lines("verify") == [])
        #expect(try run.lines("credentials") == ["drwx------ root root"])
    }

    @Test("it contains what `make install` installs, and Debian's documents")
    func files() throws {
        let packed = try Set(
            run.lines("files").map { $0.replacing(/\.gz$/, with: "") })
        let owner = try TemporaryFolder(), folder = owner.url
        defer { withExtendedLifetime(owner) {} }

        let made = try TouchdProgram.make(
            "install", in: folder.path,
            ["UNITDIR=/usr/lib/systemd/system", "ZSHDIR=/usr/share/zsh/vendor-completions"])
        try #require(made.status == 0, "\(made.errors)")

        let installed = try Set(
            FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
                try folder.appending(path: $0).resourceValues(forKeys: [.isDirectoryKey]).isDirectory != true
            }.map { "/\($0)" })
        try #require(installed.count > 20)
        #expect(installed.subtracting(packed) == [])
        let debian = ["/usr/share/doc/touchd", "/usr/share/lintian/overrides/touchd"]
        #expect(packed.subtracting(installed).filter { file in !debian.contains { file.hasPrefix($0) } } == [])
    }

    @Test("the references in its pages are valid")
    func pages() throws {
        #expect(try run.lines("files").contains("/usr/share/doc/touchd/docs/not-reacting.md"))
        #expect(try run.lines("links") == [])
    }

    @Test("an upgrade restarts the service once, and cancels the finger that is down once")
    func upgrade() throws {
        let journal = try run.lines("journal").map(JournalEntry.init(json:))

        #expect(try run.lines("upgraded").first == "touchd.service loaded active 0")
        // systemd's own entries: one start for the installation, and one for the upgrade.
        let kinds: [MessageID] = [.unitStarted, .unitStopped, .unitFailed]
        let systemd = journal.compactMap { entry in kinds.first { $0.rawValue == entry["MESSAGE_ID"] } }
        #expect(systemd == [.unitStarted, .unitStopped, .unitStarted])
        let runs = journal.filter(\.isTouch).map { "\($0["TOUCHD_TOUCH"] ?? "") \($0["TOUCHD_PHASE"] ?? "")" }
        #expect(runs == ["1 began", "1 ended", "2 began", "2 cancelled", "1 began", "1 ended"])
        #expect(Set(journal.filter(\.isTouch).map { $0["_SYSTEMD_INVOCATION_ID"] }).count == 2)
    }

    @Test("an upgrade keeps the administrator's layout and enabled units")
    func kept() throws {
        let state = try run.lines("upgraded")
        #expect(state.contains { $0.hasPrefix("version ") && $0.hasSuffix("+next") })
        #expect(state.contains("layout # ours"))
        #expect(state.filter { $0 == "enabled" }.count == 2)
    }

    @Test("an upgrade restarts an instance of the template, and a removal stops it")
    func instances() throws {
        let upgraded = try run.lines("upgraded")
        #expect(upgraded.contains("touchd@seat1.service loaded active 0"))
        #expect(upgraded.contains("the seat is another"))
        #expect(try run.lines("removed").contains("touchd@seat1.service not-found inactive 0"))
    }

    @Test("systemd listens for touchd and a seat, also after an upgrade")
    func sockets() throws {
        let asleep = [
            "touchd.service loaded inactive 0", "touchd.socket loaded active", "touchd@seat1.service loaded inactive 0",
            "touchd@seat1.socket loaded active",
        ]
        let awake = asleep.map { $0.replacing("inactive", with: "active") }
        #expect(try run.lines("listening") == asleep)
        #expect(
            try run.lines("activated") == ["/etc/touchd/touchd.yaml", "/etc/touchd/seat1.yaml"] + awake)
        #expect(try run.lines("listening-still") == awake + ["/etc/touchd/touchd.yaml"])
    }

    @Test("with an invalid layout a client starts the service once, and after the fix")
    func mistake() throws {
        let mistake = try run.lines("mistake"), fixed = try run.lines("fixed")
        #expect(mistake == ["touchd.service loaded failed 0", "touchd.socket loaded active"])
        #expect(
            fixed == ["/etc/touchd/touchd.yaml", "touchd.service loaded active 0", "touchd.socket loaded active"])
        let journal = try run.lines("mistake-journal").map(JournalEntry.init(json:))
        let failures = journal.filter { $0["MESSAGE_ID"] == MessageID.unitFailed.rawValue }
        #expect(failures.count == 1, "\(journal.compactMap { $0["MESSAGE"] }.joined(separator: "\n"))")
    }

    @Test("a service that fails at once is restarted up to the unit's limit")
    func limit() throws {
        #expect(try run.lines("limit") == ["touchd.service loaded failed 3"])
        #expect(try run.lines("limit-lifted") == ["touchd.service loaded active 0"])
    }

    @Test("after removal the services and sockets are gone and the layouts are kept")
    func removed() throws {
        #expect(
            try run.lines("removed") == [
                "touchd.service not-found inactive 0", "touchd.socket not-found inactive",
                "touchd@seat1.service not-found inactive 0", "touchd@seat1.socket not-found inactive",
                "seat1.yaml", "touchd.yaml",
            ])
    }

    @Test("after a purge nothing is left: no file, directory, seat link, user or group")
    func purged() throws {
        #expect(try run.lines("left") == [])
    }

    @Test("a running program of user touchd keeps the user, but allows the purge")
    func userInUse() throws {
        let lines = try run.lines("user-kept")
        #expect(lines.contains("touchd: the user touchd stays; end what runs as it, then: userdel touchd"))
        #expect(lines.last == "touchd")
    }
}
