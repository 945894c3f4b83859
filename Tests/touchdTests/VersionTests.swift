import Foundation
import Testing

@testable import TestSupport

/// `--version` and the list of linked packages.
@Suite struct Version {
    @Test(
        "--version --verbose lists the linked packages in their resolved versions",
        arguments: ["touchd", "touchd-inspect", "touchd-web"])
    func components(program: String) throws {
        let path = URL(filePath: TouchdProgram.path).deletingLastPathComponent().appending(path: program).path
        let outcome = try TouchdProgram.run(["--version", "--verbose"], program: path)
        let version = try TouchdProgram.run("--version")
        let components = outcome.lines.dropFirst().map { $0.split(separator: " ").map(String.init) }
        #expect(version.status == 0 && version.lines.count == 1)
        #expect(outcome.status == 0 && outcome.lines.first == version.lines.first)
        let names = Set(components.map { $0[0] })
        #expect(names.isSuperset(of: ["swift", "swift-collections"]))
        #expect(names.isSuperset(of: ["swift-argument-parser", "swift-log"]) == (program != "touchd-web"))
        #expect(names.contains("swift-nio") == (program != "touchd"))
        // Package.resolved has every resolved package; the program lists those that it uses.
        let resolved = try JSONSerialization.jsonObject(
            with: Data(contentsOf: TouchdProgram.root.appending(path: "Package.resolved")))
        let pins = try #require((resolved as? [String: Any])?["pins"] as? [[String: Any]])
        for component in components where component[0] != "swift" {
            let pin = try #require(pins.first { $0["identity"] as? String == component[0] })
            let state = try #require(pin["state"] as? [String: String])
            #expect(component == [component[0], state["version"], state["revision"], pin["location"] as? String])
        }
    }

    @Test("the SBOM lists the packages of programs and their libraries, also for a user whose PATH lacks ldconfig")
    func billOfMaterials() throws {
        let folder = URL(filePath: TouchdProgram.path).deletingLastPathComponent()
        let programs = ["touchd", "touchd-inspect", "touchd-web"].map { folder.appending(path: $0).path }
        let sbom = try TouchdProgram.run(
            programs, environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"],
            program: TouchdProgram.root.appending(path: "packaging/sbom").path)
        #expect(sbom.status == 0, "\(sbom.errors)")
        let document = try sbom.json
        #expect(document["spdxVersion"] as? String == "SPDX-2.3")
        let packages = try #require(document["packages"] as? [[String: Any]])
        func versions(_ relation: String) -> [String: String] {
            let related = (document["relationships"] as? [[String: String]] ?? []).filter {
                $0["relationshipType"] == relation
            }.compactMap { $0["relatedSpdxElement"] }
            let found = packages.filter { related.contains($0["SPDXID"] as? String ?? "") }
            return Dictionary(
                uniqueKeysWithValues: found.map { ($0["name"] as? String ?? "", $0["versionInfo"] as? String ?? "") })
        }
        var linked: [String: String] = [:]
        for program in programs {
            for line in try TouchdProgram.run(["--version", "--verbose"], program: program).lines.dropFirst() {
                let words = line.split(separator: " ").map(String.init)
                linked[words[0]] = words[1]
            }
        }
        #expect(versions("STATIC_LINK") == linked)
        #expect(Set(versions("DYNAMIC_LINK").keys).isSuperset(of: ["libc6", "libevdev2", "libyaml-0-2"]))
        #expect(versions("DESCRIBES").keys.elementsEqual(["touchd"]))
    }
}
