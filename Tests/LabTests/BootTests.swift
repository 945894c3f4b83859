import Foundation
import LabSupport
import Testing

/// The contract of `Tests/Lab/boot` with its callers.
@Suite("Tests/Lab/boot")
struct BootTests {
    @Test(
        "returns a script's output byte for byte with its exit status",
        .needsLab)
    func script() async throws {
        let folder = try temporaryFolder(
            script: #"""
                printf 'arguments: <%s>\n' "$@"; pwd; echo late >&2
                touch /lab/left /etc/touchd-lab-left && rm /lab/script.sh && exit 7
                """#)
        defer { try? FileManager.default.removeItem(at: folder) }

        let boot = try await Boot.run([
            "--timeout", "3000", "--share", folder.path, "\(folder.path)/script.sh", "two words", "it's; $HOME",
        ])

        #expect(boot.output == "arguments: <two words>\narguments: <it's; $HOME>\n/lab\nlate\n")
        #expect(boot.complaint == "")
        #expect(boot.status == 7)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["script.sh"])
        #expect(!FileManager.default.fileExists(atPath: "/etc/touchd-lab-left"))
    }

    @Test("ends a machine that does not end by itself", .needsLab)
    func timeLimit() async throws {
        let folder = try temporaryFolder(script: "sleep infinity")
        defer { try? FileManager.default.removeItem(at: folder) }

        let boot = try await Boot.run(["--share", folder.path, "--timeout", "1", "\(folder.path)/script.sh"])

        #expect(boot.status == 124)
        #expect(boot.complaint == "boot: the time limit of 1 s ran out\n")
    }

    @Test("names the Debian packages that are missing")
    func missingPackages() async throws {
        let folder = try temporaryFolder(script: "true")
        defer { try? FileManager.default.removeItem(at: folder) }
        for tool in ["realpath", "dirname"] {
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder.path)/\(tool)", withDestinationPath: "/usr/bin/\(tool)")
        }

        let boot = try await Boot.run(
            ["--share", folder.path, "\(folder.path)/script.sh"], environment: ["PATH": folder.path])

        #expect(boot.status == 69)
        #expect(boot.complaint.hasPrefix("boot: missing on this machine; try: apt-get install "))
        for package in ["qemu-system-x86", "cpio", "xz-utils", "busybox-static"] {
            #expect(boot.complaint.contains(" \(package)"))
        }
    }

    @Test(
        "explains an invalid command line",
        arguments: [
            (["--sistemd", "script.sh"], "boot: unknown option --sistemd; --help lists them\n"),
            (["/no/such/script"], "boot: no such script: /no/such/script\n"),
            (
                ["--share", "/no/such/folder", "/etc/hosts"],
                "boot: the folder to share does not exist: /no/such/folder\n"
            ),
        ])
    func usage(arguments: [String], complaint: String) async throws {
        let boot = try await Boot.run(arguments)

        #expect(boot.status == 64)
        #expect(boot.complaint.hasSuffix(complaint))
    }

    private func temporaryFolder(script: String) throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "touchd, lab \(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(script.utf8).write(to: folder.appending(path: "script.sh"))
        return folder
    }
}
