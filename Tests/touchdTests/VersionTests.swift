import Foundation
import Testing

/// `--version`, and what is linked in.
@Suite struct Version {
    @Test("--version prints one line")
    func version() throws {
        let outcome = try TouchdProgram.run("--version")
        #expect(outcome.status == 0 && outcome.lines.count == 1)
    }

    @Test(
        "--version --verbose lists the packages that are linked in, as they were resolved",
        arguments: ["touchd", "touchd-inspect"])
    func components(program: String) throws {
        let path = URL(filePath: TouchdProgram.path).deletingLastPathComponent().appending(path: program).path
        let outcome = try TouchdProgram.run(["--version", "--verbose"], program: path)
        let line = try TouchdProgram.run("--version").lines.first
        let components = outcome.lines.dropFirst().map { $0.split(separator: " ").map(String.init) }
        #expect(outcome.status == 0 && outcome.lines.first == line)
        let names = Set(components.map { $0[0] })
        #expect(names.isSuperset(of: ["swift", "swift-argument-parser", "swift-collections", "swift-log"]))
        #expect(names.contains("swift-nio") == (program == "touchd-inspect"))
        // Package.resolved has every package that was resolved; the program lists those of them that it uses.
        let resolved = try JSONSerialization.jsonObject(
            with: Data(contentsOf: TouchdProgram.root.appending(path: "Package.resolved")))
        let pins = try #require((resolved as? [String: Any])?["pins"] as? [[String: Any]])
        for component in components where component[0] != "swift" {
            let pin = try #require(pins.first { $0["identity"] as? String == component[0] })
            let state = try #require(pin["state"] as? [String: String])
            #expect(component == [component[0], state["version"], state["revision"], pin["location"] as? String])
        }
    }
}
