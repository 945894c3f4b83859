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
    ],
    swiftLanguageModes: [.v6]
)
