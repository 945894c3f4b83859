import Foundation
import PackagePlugin

/// Writes the packages that are linked into a program into its source, as they were resolved for this build, and which compiler
/// builds it: for `--version --verbose`, and for the list of components (SBOM) in the Debian package.
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
        let lines = packages.values.compactMap(Self.line).sorted()
        let output = context.pluginWorkDirectoryURL.appending(path: "Components.swift")
        // The compiler's version is that of the build, so it is asked for by the build.
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
                outputFiles: [output])
        ]
    }

    /// The products of other packages that a target uses, itself or through its own and their targets.
    private func products(of target: any Target) -> [any Product] {
        target.dependencies.flatMap { dependency -> [any Product] in
            switch dependency {
            case .target(let target): products(of: target)
            case .product(let product): [product] + product.targets.flatMap(products)
            @unknown default: []
            }
        }
    }

    /// The packages that a dependency brings, itself included.
    private func closure(_ dependency: PackageDependency) -> [Package] {
        [dependency.package] + dependency.package.dependencies.flatMap(closure)
    }

    private static func line(_ package: Package) -> String? {
        guard case .repository(let url, let version, let revision) = package.origin else { return nil }
        return "\(package.id) \(version) \(revision) \(url)"
    }
}
