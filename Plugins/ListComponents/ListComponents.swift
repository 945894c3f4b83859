import Foundation
import PackagePlugin

/// Writes the packages linked into a program into its source, as resolved for this build, with the compiler's version.
/// `--version --verbose` and the list of components (SBOM) in the Debian package use it.
@main
struct ListComponents: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        var packages: [Package.ID: Package] = [:]
        for product in products(of: target) {
            for package in context.package.dependencies.flatMap(closure)
            where package.products.contains(where: { $0.id == product.id }) {
                packages[package.id] = package
            }
        }
        // Package.resolved has the packages of the whole build with their revisions, which the plugin API does not
        // provide.
        let pins = context.package.directoryURL.appending(path: "Package.resolved")
        let revisions = Self.revisions(pins)
        let lines = packages.values.compactMap { Self.line($0, revisions) }.sorted()
        let output = context.pluginWorkDirectoryURL.appending(path: "Components.swift")
        // The build command asks for the compiler's version, because only it runs with that compiler.
        let script = #"""
            compiler=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([^ ]*\).*/\1/p' | head -n 1)
            {
                echo "/// The packages that are linked in, one a line: name, version, revision, address."
                echo 'let components = """'
                echo "    swift ${compiler:-unknown} - https://github.com/swiftlang/swift"
                printf '%s' "$1"
                echo '    """'
            } > "$2"
            """#
        return [
            .buildCommand(
                displayName: "Listing the packages in \(target.name)", executable: URL(filePath: "/bin/sh"),
                arguments: ["-c", script, "sh", lines.map { "    \($0)\n" }.joined(), output.path],
                inputFiles: [pins], outputFiles: [output])
        ]
    }

    /// The products of other packages that a target uses, directly or through its dependencies.
    private func products(of target: any Target) -> [any Product] {
        target.dependencies.flatMap { dependency -> [any Product] in
            switch dependency {
            case .target(let target): products(of: target)
            case .product(let product): [product] + product.targets.flatMap(products)
            @unknown default: []
            }
        }
    }

    /// A package dependency with all packages that it needs, itself included.
    private func closure(_ dependency: PackageDependency) -> [Package] {
        [dependency.package] + dependency.package.dependencies.flatMap(closure)
    }

    private static func line(_ package: Package, _ revisions: [String: String]) -> String? {
        guard case .repository(let url, let version, _) = package.origin else { return nil }
        return "\(package.id) \(version) \(revisions[package.id] ?? "-") \(url)"
    }

    /// The revisions by package identity; empty if touchd is built as a dependency of another package.
    private static func revisions(_ file: URL) -> [String: String] {
        struct Resolved: Decodable {
            struct Pin: Decodable {
                var identity: String
                var state: [String: String]
            }
            var pins: [Pin]
        }
        guard let data = try? Data(contentsOf: file),
            let resolved = try? JSONDecoder().decode(Resolved.self, from: data)
        else { return [:] }
        return Dictionary(resolved.pins.map { ($0.identity, $0.state["revision"] ?? "-") }) { first, _ in first }
    }
}
