import Foundation
import LabSupport
import Testing

/// A kiosk from installation to removal; `Tests/Lab/lifecycle.sh` has the steps.
@Suite(
    "The life of an installation, in a container", .needsContainer,
    .disabled(if: LabRun.packages == nil, "TOUCHD_LAB_PACKAGES names no packages; 'make test-deb' makes them"))
struct LifecycleTests {
    private static let script = Task {
        try await LabRun("lifecycle.sh", in: .container, LabRun.builtPrograms, #require(LabRun.packages))
    }
    private let run: LabRun

    init() async throws { run = try await Self.script.value }

    private static let sockets = [
        "touchd-exec.socket", "touchd-network.socket", "touchd-web.socket", "touchd-web@left.socket",
    ]
    private static let units =
        ["touchd.service", "touchd.socket", "touchd@left.service", "touchd@right.service", "touchd@right.socket"]
        + sockets

    @Test("the package makes the folder for the last good layout")
    func installed() throws {
        #expect(try run.lines("installed") == ["touchd.service active", "/var/lib/touchd drwx------ touchd"])
    }

    @Test("the guide's command upgrades the installed packages, removes none and adds none")
    func upgraded() throws {
        #expect(
            try run.lines("upgraded").map { $0.trimmingCharacters(in: .whitespaces) }
                == ["touchd +next", "touchd-inspect", "touchd-web +next"])
    }

    @Test("with drop-ins for forwarding, keys and sound, but without their nodes, touchd starts and runs programs")
    func withoutNodes() throws {
        #expect(try run.lines("without-nodes") == ["touchd.service active", "active", "1"])
        #expect(try run.lines("without-nodes-units") == ["modprobe@uinput.service"])
    }

    @Test("a read-only root has two seats, a program, a page and a reload; a tmpfs keeps the last good layout")
    func readOnly() throws {
        #expect(
            try run.lines("read-only") == [
                "<title>kiosk<", "touchd.service active", "touchd@left.service active", "touchd-exec.service active",
                "touchd-web.service active", "last-good-layout.json",
            ])
    }

    @Test("installed again after a removal, all that is enabled runs; an upgrade leaves stopped units alone")
    func installedAgain() throws {
        #expect(try run.lines("enabled") == Self.units.map { "\($0) active" })
        #expect(try run.lines("removed") == Self.units.map { "\($0) inactive" })
        #expect(try run.lines("installed-again") == Self.units.map { "\($0) active" })
        #expect(
            try run.lines("upgraded-again")
                == ["touchd@left.service inactive", "touchd@right.service active", "touchd-web.socket inactive"])
    }

    @Test("a purge leaves no unit, link, folder or user, also of seats")
    func purged() throws {
        #expect(try run.lines("purged") == [])
        #expect(try run.lines("left") == [])
    }

    @Test("make uninstall stops all units, and removes links, files and the catalog; layouts stay")
    func uninstalled() throws {
        #expect(
            try run.lines("make-install") == [
                "touchd.service active", "touchd@left.service active", "touchd-exec.socket active",
                "touchd-network.socket active", "touchd-web.socket active",
            ])
        #expect(
            try run.lines("make-uninstall") == [
                "These stay: /etc/touchd, /var/lib/touchd*, drop-ins in /etc/systemd/system, and the user touchd", "0",
                "credentials", "left.yaml", "right.yaml", "touchd.yaml", "web-left.yaml", "web.yaml",
            ])
    }

    @Test("a user makes the same packages in a folder with a blank in its path, with all components in the SBOM")
    func userPackages() throws { #expect(try run.lines("user-packages") == ["the same components"]) }
}
