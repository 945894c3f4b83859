import Testing

/// touchd's Debian package, installed, upgraded with a finger down, removed and purged.
///
/// What is done is in `Tests/Lab/package.sh`.
@Suite(
    "touchd's package, in a booted machine", .timeLimit(.minutes(16)), .needsLab,
    .disabled(if: LabRun.packages == nil, "TOUCHD_LAB_PACKAGES names no packages; 'make test-deb' makes them"))
struct PackageTests {
    @Test("installed, the service runs with the screen that is there, and starts with the machine from now on")
    func installed() async throws {
        let run = try await LabRun.shared.value
        let state = try run.lines("package-installed")
        #expect(state.contains("ActiveState=active") && state.contains("UnitFileState=enabled"))
    }

    @Test(
        "what is installed has its manual, completions, schema, examples and message catalogue where they are looked for"
    )
    func files() async throws {
        let run = try await LabRun.shared.value
        let files = try Set(run.lines("package-files"))
        let wanted = [
            "/usr/bin/touchd", "/etc/touchd/touchd.yaml", "/usr/lib/sysusers.d/touchd.conf",
            "/usr/share/man/man1/touchd.1.gz", "/usr/share/man/man5/touchd.yaml.5.gz",
            "/usr/share/man/man7/touchd.journal-fields.7.gz", "/usr/share/man/man7/touchd-control.7.gz",
            "/usr/share/touchd/touchd.schema.json", "/usr/lib/systemd/catalog/touchd.catalog",
            "/usr/share/bash-completion/completions/touchd", "/usr/share/zsh/vendor-completions/_touchd",
            "/usr/share/fish/vendor_completions.d/touchd.fish",
            "/usr/share/doc/touchd/examples/recordings/quanta-optical.evemu",
        ]
        #expect(wanted.filter { !files.contains($0) } == [])
    }

    @Test("the message catalogue is known to journalctl once the package is installed")
    func catalogue() async throws {
        let lines = try await LabRun.shared.value.lines("package-catalogue")
        #expect(lines.first == "96fa9236d3bb4aaa9aff2caea63c8aff touchd: A touch began")
    }

    @Test("an upgrade restarts the service, cancels the finger that is down, and keeps the layout")
    func upgrade() async throws {
        let run = try await LabRun.shared.value
        let state = try run.lines("package-upgraded")
        #expect(state.contains("ActiveState=active") && state.contains("UnitFileState=enabled"))
        #expect(state.contains { $0.hasPrefix("Version=") && $0.hasSuffix("+next") })
        #expect(state.contains("Layout=# ours") && state.contains("Restarted=yes"))
    }

    @Test("removed, the service is gone and the layout is kept")
    func removed() async throws {
        let run = try await LabRun.shared.value
        #expect(
            try run.lines("package-removed").sorted()
                == ["ActiveState=inactive", "LoadState=not-found", "touchd.yaml"])
    }

    @Test("purged, it leaves nothing: no file, no directory, no user, no group")
    func purged() async throws {
        let run = try await LabRun.shared.value
        #expect(try run.lines("package-left") == [])
    }
}
