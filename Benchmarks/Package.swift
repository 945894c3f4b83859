// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "touchd", path: "..")],
    targets: [
        .systemLibrary(name: "CLibuv", pkgConfig: "libuv", providers: [.apt(["libuv1-dev"])]),
        .systemLibrary(name: "CGLib", pkgConfig: "glib-2.0", providers: [.apt(["libglib2.0-dev"])]),
        // The loops that a Linux daemon would use, and the bare epoll loop that is the floor, each in its file.
        .target(
            name: "CPeers", dependencies: ["CLibuv", "CGLib"], cSettings: [.unsafeFlags(["-O2"])],
            linkerSettings: [.linkedLibrary("ev")]),
        .executableTarget(
            name: "bench-loop", dependencies: ["CPeers", .product(name: "EventLoop", package: "touchd")]),
        // libinput, which reads the devices that umockdev makes, as touchd does beside it.
        .systemLibrary(name: "CLibinput", pkgConfig: "libinput", providers: [.apt(["libinput-dev"])]),
        .target(name: "CLibinputTouch", dependencies: ["CLibinput"], cSettings: [.unsafeFlags(["-O2"])]),
        .systemLibrary(name: "CUmockdev", pkgConfig: "umockdev-1.0", providers: [.apt(["libumockdev-dev"])]),
        .target(name: "CCallgrind"),
        .executableTarget(
            name: "bench-decode",
            dependencies: [
                "CCallgrind", "CLibinputTouch", "CUmockdev", .product(name: "Evdev", package: "touchd"),
                .product(name: "EventLoop", package: "touchd"),
            ]),
        // Measured by the clock here, and in instructions by count-instructions in the package above (`make bench-check`).
        .target(
            name: "Workloads",
            dependencies: [.product(name: "TouchKit", package: "touchd")],
            swiftSettings: [.defaultIsolation(MainActor.self)]),
        // Beside it run the programs of HitTest/, which hittest.sh builds.
        .executableTarget(
            name: "bench-hittest", dependencies: ["Workloads"], swiftSettings: [.defaultIsolation(MainActor.self)]),
    ],
    swiftLanguageModes: [.v6]
)
