// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "touchd", path: "..")],
    targets: [
        .systemLibrary(name: "CLibuv", pkgConfig: "libuv", providers: [.apt(["libuv1-dev"])]),
        .systemLibrary(name: "CGLib", pkgConfig: "glib-2.0", providers: [.apt(["libglib2.0-dev"])]),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        .systemLibrary(name: "CLibevent", pkgConfig: "libevent_pthreads", providers: [.apt(["libevent-dev"])]),
        // The loops a Linux daemon would pick, and the bare epoll loop that is the floor, each in its file.
        .target(
            name: "CPeers", dependencies: ["CLibuv", "CGLib", "CSystemd", "CLibevent"],
            cSettings: [.unsafeFlags(["-O2"])], linkerSettings: [.linkedLibrary("ev")]),
        // libinput, which reads the devices that umockdev makes, as touchd does beside it.
        .systemLibrary(name: "CLibinput", pkgConfig: "libinput", providers: [.apt(["libinput-dev"])]),
        .target(name: "CLibinputTouch", dependencies: ["CLibinput"], cSettings: [.unsafeFlags(["-O2"])]),
        .systemLibrary(name: "CUmockdev", pkgConfig: "umockdev-1.0", providers: [.apt(["libumockdev-dev"])]),
        .executableTarget(
            name: "bench-decode",
            dependencies: [
                "CLibinputTouch", "CUmockdev", .product(name: "Evdev", package: "touchd"),
                .product(name: "EventLoop", package: "touchd"),
            ]),
        // Run in the kernel lab by Tests/Lab/libinput.sh.
        .executableTarget(
            name: "compare-libinput",
            dependencies: [
                "CLibinputTouch", "CUmockdev", .product(name: "Evdev", package: "touchd"),
                .product(name: "EventLoop", package: "touchd"),
            ]),
        // Run in the kernel lab by Tests/Lab/latency.sh.
        .executableTarget(name: "bench-lab", dependencies: [.product(name: "Evdev", package: "touchd")]),
        // Replaces malloc in the program that links it.
        .target(name: "CMallocCount", cSettings: [.unsafeFlags(["-O2"])]),
        .executableTarget(
            name: "bench-runloop", dependencies: ["CPeers", .product(name: "EventLoop", package: "touchd")]),
        .executableTarget(
            name: "count-allocations",
            dependencies: ["CMallocCount", .product(name: "EventLoop", package: "touchd")]),
        // Measured by the clock here, and in instructions by count-instructions in the package above (`make bench-check`).
        .target(
            name: "Workloads",
            dependencies: [
                .product(name: "TouchKit", package: "touchd"), .product(name: "EventLoop", package: "touchd"),
            ],
            swiftSettings: [.defaultIsolation(MainActor.self)]),
        // Beside it run the programs of HitTest/, which bench-hittest.sh builds.
        .target(name: "CHeap"),
        .executableTarget(
            name: "bench-hittest", dependencies: ["CHeap", "Workloads"],
            swiftSettings: [.defaultIsolation(MainActor.self)]),
        .executableTarget(name: "bench-delivery", dependencies: ["CMallocCount", "Workloads"]),
    ],
    swiftLanguageModes: [.v6]
)
