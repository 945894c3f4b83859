import Foundation
import Testing

@testable import TestSupport

/// The units of this repository, and those that its guides have readers write. Nobody starts a unit of a kiosk by hand, so each
/// comes back whatever happened: docs/install.md, "Restarts after failures".
@Suite struct UnitFiles {
    /// A unit file, or a drop-in of one, by sections.
    private struct UnitFile {
        let name: String
        private let settings: [(section: String, key: String, value: String)]

        init(name: String, text: String) {
            self.name = name
            var section = ""
            settings = text.split(separator: "\n").compactMap { line in
                if line.hasPrefix("[") { section = line.trimmingCharacters(in: ["[", "]"]) }
                guard !line.hasPrefix("#"), let equals = line.firstIndex(of: "=") else { return nil }
                return (section, String(line[..<equals]), String(line[line.index(after: equals)...]))
            }
        }

        /// The last value counts, as in systemd.
        subscript(section: String, key: String) -> String? {
            settings.last { $0.section == section && $0.key == key }?.value
        }

        func has(_ section: String) -> Bool { settings.contains { $0.section == section } }
        func has(key: String) -> Bool { settings.contains { $0.key == key } }
    }

    /// The files of units and drop-ins, templates without their `.in`, without those of the tests' own machines.
    private static let files: [UnitFile] = {
        var files: [UnitFile] = []
        let walk = FileManager.default.enumerator(atPath: TouchdProgram.root.path)
        while let path = walk?.nextObject() as? String {
            if [".", "Tests", "dist"].contains(where: path.hasPrefix) {
                walk?.skipDescendants()
                continue
            }
            let name = path.hasSuffix(".in") ? String(path.dropLast(3)) : path
            guard ["service", "socket", "timer", "path", "conf"].contains((name as NSString).pathExtension),
                let text = try? String(contentsOf: TouchdProgram.root.appending(path: path), encoding: .utf8)
            else { continue }
            files.append(UnitFile(name: name, text: text))
        }
        return files
    }()

    /// The units and drop-ins in guides.
    private static func blocks() throws -> [UnitFile] {
        let docs = TouchdProgram.root.appending(path: "docs")
        let guides = try FileManager.default.contentsOfDirectory(atPath: docs.path).filter { $0.hasSuffix(".md") }
        return try (guides.map { "docs/\($0)" } + ["README.md"]).flatMap(GuideBlock.blocks).filter {
            $0.language == "ini"
        }.map { UnitFile(name: "\($0.file):\($0.line)", text: $0.text) }
    }

    private static func units() throws -> [UnitFile] {
        try files.filter { !$0.name.hasSuffix(".conf") } + blocks().filter { $0.has("Install") }
    }

    @Test("no limit of starts keeps a unit down, except touchd.service's, which is for StartLimitAction=reboot")
    func startLimits() throws {
        let units = try Self.units()
        #expect(units.count >= 12)

        let limited = units.filter { $0["Unit", "StartLimitIntervalSec"] != "0" }
        #expect(limited.map(\.name) == ["systemd/touchd.service"])
        #expect(limited.first?["Unit", "StartLimitBurst"] == "900")
        let dropIns = try (Self.files + Self.blocks()).filter {
            $0.has(key: "StartLimitBurst") || ($0["Unit", "StartLimitIntervalSec"] ?? "0") != "0"
        }
        #expect(dropIns.map(\.name) == ["systemd/touchd.service"])
    }

    @Test("no number of connections ends a socket, and one that its service did not accept does not start it again")
    func sockets() throws {
        let sockets = try Self.units().filter { $0.has("Socket") }
        #expect(sockets.count >= 3)

        #expect(sockets.filter { $0["Socket", "TriggerLimitIntervalSec"] != "0" }.map(\.name) == [])
        #expect(sockets.filter { $0["Socket", "FlushPending"] != "yes" }.map(\.name) == [])
    }

    @Test("a service is restarted after 1 to 10 s, later after each failure where systemd 252 need not know the unit")
    func restarts() throws {
        let services = try Self.units().filter { $0.has("Service") }
        #expect(services.count >= 7)

        for service in services {
            let name = Comment(rawValue: service.name)
            // A timer starts these.
            if service["Service", "Type"] == "oneshot" {
                #expect(service["Service", "Restart"] == nil, name)
                continue
            }
            #expect(["on-failure", "always"].contains(service["Service", "Restart"]), name)
            #expect(service["Service", "RestartSec"] == "1", name)
            // RestartSteps= is of systemd 254. `make test-releases` has systemd 252 know every setting of the packages' units.
            let grows = !service.name.hasPrefix("systemd/")
            #expect(service["Service", "RestartSteps"] == (grows ? "5" : nil), name)
            #expect(service["Service", "RestartMaxDelaySec"] == (grows ? "10" : nil), name)
        }
    }

    @Test("only the two services that send have the network and secrets; a restart of touchd does not wait for them")
    func network() throws {
        let services = try Self.units().filter { $0.has("Service") && $0.name.hasPrefix("systemd/") }
        let open = services.filter {
            $0["Service", "IPAddressDeny"] != "any"
                || $0["Service", "RestrictAddressFamilies"]?.contains("AF_INET") != false
                || $0.has(key: "LoadCredential")
        }
        #expect(
            open.map(\.name).sorted() == ["systemd/touchd-day-send.service", "systemd/touchd-network.service"])
        // Neither can read the journal.
        #expect(open.filter { $0.has(key: "SupplementaryGroups") }.map(\.name) == [])

        let helper = try Self.units().filter { $0.name.hasPrefix("systemd/touchd-network.") }
        #expect(helper.count == 2)
        #expect(helper.filter { $0.has(key: "PartOf") || $0.has(key: "Before") }.map(\.name) == [])
    }

    @Test("no guide and no drop-in opens the network to touchd or hands it a secret")
    func dropIns() throws {
        let dropIns = try Self.files.filter { $0.name.hasSuffix(".conf") } + Self.blocks().filter { !$0.has("Install") }
        #expect(dropIns.count >= 4)

        let loosened = dropIns.filter {
            $0.has(key: "RestrictAddressFamilies") || $0.has(key: "LoadCredential")
                || ($0["Service", "IPAddressDeny"] ?? "any") != "any"
        }
        #expect(loosened.map(\.name) == [])
    }
}
