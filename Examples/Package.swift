// swift-tools-version: 6.2
import PackageDescription

// Like a new Xcode app: declarations run on the main actor by default.
let mainActor: [SwiftSetting] = [.defaultIsolation(MainActor.self)]
let touchKit: [Target.Dependency] = [.product(name: "TouchKit", package: "touchd")]

let package = Package(
    name: "Examples",
    dependencies: [.package(name: "touchd", path: "..")],
    targets: [
        // The kiosk of docs/tutorial.md.
        .executableTarget(name: "museum", dependencies: touchKit, swiftSettings: mainActor),
        .testTarget(name: "museumTests", dependencies: ["museum"]),
        .executableTarget(name: "gate", dependencies: touchKit, swiftSettings: mainActor),
        .executableTarget(name: "pictures", dependencies: touchKit, swiftSettings: mainActor),
        .executableTarget(name: "testbench", dependencies: touchKit, swiftSettings: mainActor),
        // Components in the manner of iOS, one in each file, and tests that touch them.
        .target(
            name: "Components", dependencies: [.product(name: "UIKitNames", package: "touchd")],
            swiftSettings: mainActor),
        .testTarget(
            name: "ComponentsTests",
            dependencies: ["Components", .product(name: "TouchKitTesting", package: "touchd")],
            swiftSettings: mainActor),
    ],
    swiftLanguageModes: [.v6]
)
