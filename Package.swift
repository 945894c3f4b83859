// swift-tools-version: 6.2
import PackageDescription

// Warnings are errors in a debug build with the compiler version that CI has. Another version, or the C library of another
// distribution, may warn of more, and must not fail a user's build.
#if compiler(>=6.3) && !compiler(>=6.4)
    let warnings: [SwiftSetting] = [.treatAllWarnings(as: .error, .when(configuration: .debug))]
#else
    let warnings: [SwiftSetting] = []
#endif
let strict: [SwiftSetting] = warnings + [.enableUpcomingFeature("ExistentialAny")]

// Touch delivery happens on the main actor; EventLoop and Evdev run on the thread that owns the loop.
let mainActor: [SwiftSetting] = strict + [.defaultIsolation(MainActor.self)]

let package = Package(
    name: "touchd",
    products: [
        .library(name: "TouchKit", targets: ["TouchKit", "Service"]),
        .library(name: "TouchKitTesting", targets: ["TouchKitTesting"]),
        .library(name: "UIKitNames", targets: ["UIKitNames"]),
        .library(name: "EventLoop", targets: ["EventLoop"]),
        .library(name: "Evdev", targets: ["Evdev"]),
        .executable(name: "touchd", targets: ["touchd"]),
        .executable(name: "touchd-inspect", targets: ["touchd-inspect"]),
        .executable(name: "touchd-web", targets: ["touchd-web"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", .upToNextMinor(from: "1.8.2")),
        .package(url: "https://github.com/apple/swift-collections", .upToNextMinor(from: "1.6.0")),
        .package(url: "https://github.com/apple/swift-log", .upToNextMinor(from: "1.16.2")),
        .package(url: "https://github.com/apple/swift-nio", .upToNextMinor(from: "2.101.2")),
    ],
    targets: [
        .target(name: "CLinux"),
        .systemLibrary(name: "CLibevdev", pkgConfig: "libevdev", providers: [.apt(["libevdev-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CLibudev", pkgConfig: "libudev", providers: [.apt(["libudev-dev"])]),
        .systemLibrary(name: "CLibsystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        .systemLibrary(name: "CLibyaml", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),

        // Headers of libraries that are loaded only when a layout needs them.
        .target(name: "CLibcurl"),
        .target(name: "CLibmosquitto"),

        // What is neither a loop nor a protocol: limits, delays, counts, texts.
        .target(name: "Basics", dependencies: ["CLinux"], swiftSettings: strict),
        .target(
            name: "EventLoop",
            dependencies: ["Basics", "CLinux"],
            swiftSettings: strict),
        // The part of YAML that layouts and touchd-web's settings share.
        .target(name: "YAML", dependencies: ["Basics", "CLibyaml"], swiftSettings: strict),
        // The messages between daemon, tools, pages and brokers as values, and a client of the control socket.
        .target(name: "ControlProtocol", dependencies: ["Basics", "EventLoop"], swiftSettings: strict),
        .target(
            name: "Evdev",
            dependencies: ["Basics", "CLinux", "CLibevdev", "CLibudev", "CZlib", "EventLoop"],
            swiftSettings: strict),
        .target(
            name: "TouchKit",
            dependencies: [
                "CLinux", "EventLoop", "Evdev",
                .product(name: "DequeModule", package: "swift-collections"),
            ],
            swiftSettings: mainActor),
        // Fingers, a mouse, a keyboard and a clock, for tests of views and recognizers.
        .target(
            name: "TouchKitTesting", dependencies: ["Evdev", "TouchKit"], swiftSettings: mainActor),
        .target(
            name: "Layout",
            dependencies: ["Basics", "CLibyaml", "ControlProtocol", "Evdev", "TouchKit", "YAML"],
            swiftSettings: mainActor),
        .target(
            name: "Handlers",
            dependencies: [
                "Basics", "CLinux", "CLibevdev", "ControlProtocol", "EventLoop", "Evdev", "TouchKit", "Layout",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: mainActor),
        // Everything that leaves the machine, in a separate process.
        .target(
            name: "Network",
            dependencies: [
                "Basics", "CLinux", "CLibcurl", "CLibmosquitto", "ControlProtocol", "EventLoop",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: mainActor),
        // What the journal, standard output and clients get. Without TouchKit and Layout: an output must not see views.
        .target(
            name: "Outputs",
            dependencies: [
                "Basics", "CLinux", "ControlProtocol", "EventLoop",
                .product(name: "DequeModule", package: "swift-collections"),
            ],
            swiftSettings: mainActor),
        .target(
            name: "Service",
            dependencies: [
                "Basics", "CLinux", "CLibsystemd", "ControlProtocol", "EventLoop", "Evdev", "TouchKit",
                "Layout", "Handlers", "Outputs",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: mainActor),
        // Pictures and tables of layouts and journals; not part of the service.
        .target(
            name: "Reports", dependencies: ["Basics", "ControlProtocol", "EventLoop", "Layout", "TouchKit"],
            swiftSettings: strict),
        // HTTP for browsers: limits on requests and connections, access, WebSockets. Independent of touches.
        .target(
            name: "WebServer",
            dependencies: [
                "Basics", .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"), .product(name: "NIOWebSocket", package: "swift-nio"),
            ],
            swiftSettings: strict),
        // The files of the inspector's page, and touchd.js.
        .target(name: "CPages"),
        // Writes the list of linked packages into a program.
        .plugin(name: "ListComponents", capability: .buildTool()),
        // Shared by touchd and touchd-inspect: options, error messages and exit statuses.
        .target(
            name: "CommandSupport",
            dependencies: [
                "Basics", "CLinux", "ControlProtocol", "EventLoop", "Evdev", "Layout",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "touchd",
            dependencies: [
                "Basics", "CLinux", "CZlib", "ControlProtocol", "EventLoop", "Evdev", "TouchKit", "Layout", "Handlers",
                "Network", "Service", "Reports", "CommandSupport", "YAML",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict, plugins: ["ListComponents"]),
        // The inspector's web page; `touchd inspect` executes it.
        .executableTarget(
            name: "touchd-inspect",
            dependencies: [
                "Basics", "CPages", "CommandSupport", "ControlProtocol", "EventLoop", "Evdev", "Handlers", "Layout",
                "Reports", "TouchKit", "WebServer",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"), .product(name: "NIOCore", package: "swift-nio"),
            ],
            exclude: ["Page"],
            swiftSettings: strict, plugins: ["ListComponents"]),
        // Connects web pages with the control socket; touchd-web.service runs it. Without Foundation, ArgumentParser and views, which
        // are two thirds of the other programs.
        .executableTarget(
            name: "touchd-web",
            dependencies: [
                "Basics", "CPages", "ControlProtocol", "EventLoop", "WebServer", "YAML",
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
            ],
            exclude: ["Page"],
            swiftSettings: strict, plugins: ["ListComponents"]),

        // A test never runs on the main thread, so a separate program checks EpollRunLoop.main and RunLoop.main.
        .executableTarget(
            name: "MainLoopProbe", dependencies: ["CLinux", "EventLoop", "TouchKit"], path: "Tests/MainLoopProbe",
            swiftSettings: mainActor),
        // The commands of the lab's scripts for fingers and mice, whose devices are the kernel's or mocked.
        .target(
            name: "Player", dependencies: ["CLibevdev", "Evdev"], path: "Tests/Lab/Player",
            swiftSettings: strict),
        .executableTarget(
            name: "uinput-play", dependencies: ["CLibudev", "Evdev", "Player"],
            path: "Tests/Lab/uinput-play", swiftSettings: strict),
        .executableTarget(
            name: "mock-play", dependencies: ["Evdev", "MockedInput", "Player"], path: "Tests/Lab/mock-play",
            swiftSettings: strict),

        // For `make bench-check`: here, not in Benchmarks/, so that it reuses the modules that `make build` compiled.
        .target(name: "CCallgrind", path: "Benchmarks/Sources/CCallgrind"),
        .executableTarget(
            name: "count-instructions",
            dependencies: [
                "CCallgrind", "CLinux", "ControlProtocol", "EventLoop", "Evdev", "Handlers", "Layout",
                "Outputs", "Service", "TouchKit", .product(name: "Logging", package: "swift-log"),
            ],
            path: "Benchmarks/Sources",
            exclude: [
                "CCallgrind", "CGLib", "CLibinput", "CLibinputTouch", "CLibuv", "CPeers", "CUmockdev", "bench-decode",
                "bench-hittest", "bench-loop", "bench-publish",
            ],
            sources: ["Workloads", "count-instructions"], swiftSettings: mainActor),
        // For `make bench-publish`.
        .executableTarget(
            name: "bench-publish", dependencies: ["EventLoop", "Evdev", "Service", "TouchKit"],
            path: "Benchmarks/Sources/bench-publish", swiftSettings: mainActor),

        // A program on touchd's library with a handler that does not return, for the lab's watchdog.
        .executableTarget(
            name: "StuckKiosk", dependencies: ["Service", "TouchKit"], path: "Tests/StuckKiosk",
            swiftSettings: mainActor),

        .testTarget(name: "BasicsTests", dependencies: ["Basics"], swiftSettings: strict),
        .testTarget(
            name: "EventLoopTests", dependencies: ["EventLoop", "CLinux", "MainLoopProbe"], swiftSettings: strict),
        // The live path, libudev and libevdev, over recordings that umockdev plays as event nodes.
        .systemLibrary(
            name: "CUmockdev", path: "Tests/CUmockdev", pkgConfig: "umockdev-1.0",
            providers: [.apt(["libumockdev-dev", "umockdev"])]),
        .target(
            name: "MockedInput", dependencies: ["CLinux", "CUmockdev", "Evdev"], path: "Tests/MockedInput",
            swiftSettings: strict),
        .executableTarget(
            name: "EvdevProbe",
            dependencies: ["Basics", "CLinux", "CLibevdev", "Evdev", "EvdevFuzz", "EventLoop", "MockedInput"],
            path: "Tests/EvdevProbe",
            swiftSettings: strict),
        // Arbitrary bytes for decoder and parsers: libFuzzer runs them in `make fuzz`, the tests run its corpus.
        .target(
            name: "EvdevFuzz", dependencies: ["CLinux", "Evdev"], path: "Tests/Fuzz/EvdevFuzz",
            swiftSettings: strict),
        .target(name: "CLibFuzzer", path: "Tests/Fuzz/CLibFuzzer"),
        .executableTarget(
            name: "fuzz-evdev", dependencies: ["CLibFuzzer", "EvdevFuzz"], path: "Tests/Fuzz/fuzz-evdev",
            swiftSettings: strict),
        .target(
            name: "ServiceFuzz",
            dependencies: [
                "CLinux", "ControlProtocol", "EventLoop", "TouchKit", "TouchKitTesting", "Layout", "Handlers",
                "Outputs", "Service", "Reports",
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/Fuzz/ServiceFuzz", swiftSettings: mainActor),
        .executableTarget(
            name: "fuzz-service", dependencies: ["CLibFuzzer", "ServiceFuzz"], path: "Tests/Fuzz/fuzz-service",
            swiftSettings: strict),
        .testTarget(
            name: "EvdevTests",
            dependencies: ["Evdev", "EvdevFuzz", "EventLoop", "CLinux", "EvdevProbe"],
            exclude: ["Recordings"], swiftSettings: strict),
        // With Service, so that one import replaces UIKit's also in the file with `@main`.
        .target(name: "UIKitNames", dependencies: ["Service", "TouchKit"], swiftSettings: mainActor),
        // Components in the manner of shipped ones: Swift 5 mode, nothing is isolated by default, and warnings stay warnings.
        .target(
            name: "ShippedSources", dependencies: ["UIKitNames"], path: "Tests/ShippedSources",
            swiftSettings: [.swiftLanguageMode(.v5)]),
        .testTarget(
            name: "UIKitNamesTests", dependencies: ["ShippedSources", "UIKitNames", "TouchKitTesting"],
            swiftSettings: mainActor),
        // Counts allocations by replacing malloc, which affects a whole program, so it is not linked with the tests.
        .target(name: "CAllocationCounter", path: "Tests/CAllocationCounter"),
        .executableTarget(
            name: "AllocationProbe",
            dependencies: [
                "CAllocationCounter", "CLinux", "ControlProtocol", "Evdev", "EventLoop", "Handlers",
                "Layout", "Service", "TouchKit",
            ],
            path: "Tests/AllocationProbe", swiftSettings: mainActor),
        .testTarget(
            name: "TouchKitTests", dependencies: ["TouchKit", "TouchKitTesting", "Evdev", "EventLoop"],
            swiftSettings: mainActor),
        .testTarget(
            name: "LayoutTests",
            dependencies: [
                "ControlProtocol", "Evdev", "Layout", "Reports", "TestSupport", "TouchKit", "TouchKitTesting",
            ],
            exclude: ["Files", "Support/validate-layouts.py"], swiftSettings: mainActor),
        .testTarget(
            name: "ForwardingTests",
            dependencies: [
                "Basics", "CLinux", "Evdev", "EventLoop", "Layout", "Service", "TouchKit", "TouchKitTesting",
            ],
            swiftSettings: mainActor),
        .testTarget(
            name: "HandlersTests",
            dependencies: [
                "CLinux", "ControlProtocol", "Handlers", "EventLoop", "Evdev", "Layout", "Network", "TestSupport",
                "TouchKit", "TouchKitTesting",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: mainActor),
        .testTarget(
            name: "NetworkTests",
            dependencies: [
                "CLinux", "ControlProtocol", "EventLoop", "Network", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
            ],
            exclude: ["Support/broker.py", "Support/hostile-broker.py", "Support/server.py"],
            swiftSettings: mainActor),
        .testTarget(
            name: "ServiceTests",
            dependencies: [
                "Basics", "CLinux", "ControlProtocol", "Outputs", "Service", "ServiceFuzz", "Handlers", "Layout",
                "TouchKit",
                "TouchKitTesting", "Evdev", "EventLoop", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
            ],
            exclude: ["Files"], swiftSettings: mainActor),
        // A day of kiosk use at full speed, for `make endurance`.
        .executableTarget(
            name: "Endurance",
            dependencies: [
                "CLinux", "ControlProtocol", "EventLoop", "Evdev", "TouchKit", "Layout", "Handlers",
                "Outputs", "Service",
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/Endurance", exclude: ["kiosk.yaml"], swiftSettings: mainActor),
        // README.md's program, to check that it compiles.
        .executableTarget(
            name: "ReadmeProgram", dependencies: ["Service", "TouchKit"], path: "Tests/ReadmeProgram",
            swiftSettings: mainActor),
        // The programs of the package in Examples, built from the modules of the tests, so that the tests can run them.
        .executableTarget(
            name: "example-gate", dependencies: ["Service", "TouchKit"], path: "Examples/Sources/gate",
            swiftSettings: mainActor),
        .executableTarget(
            name: "example-pictures", dependencies: ["Service", "TouchKit"], path: "Examples/Sources/pictures",
            swiftSettings: mainActor),
        .executableTarget(
            name: "example-testbench", dependencies: ["Service", "TouchKit"], path: "Examples/Sources/testbench",
            swiftSettings: mainActor),
        .executableTarget(
            name: "example-museum", dependencies: ["Service", "TouchKit"], path: "Examples/Sources/museum",
            swiftSettings: mainActor),
        // Programs that several test targets start, and the condition for tests that need a package.
        .target(
            name: "TestSupport",
            dependencies: [
                "CLinux", "ControlProtocol", "EventLoop", "Service",
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/Support", swiftSettings: strict),
        .testTarget(
            name: "touchdTests",
            dependencies: [
                "touchd", "touchd-inspect", "touchd-web", "ReadmeProgram", "ControlProtocol", "Handlers",
                "Layout", "Reports", "Service", "TestSupport", "TouchKitTesting",
                "example-gate", "example-pictures", "example-testbench", "example-museum", "mock-play",
            ],
            exclude: ["Examples", "Support/guard-icu.c", "Support/press-tab.py", "Support/validate-protocol.py"],
            swiftSettings: strict
        ),
        .testTarget(name: "WebServerTests", dependencies: ["WebServer"], swiftSettings: strict),
        .testTarget(
            name: "touchdWebTests",
            dependencies: ["Basics", "ControlProtocol", "EventLoop", "touchd-web", "WebServer", "YAML"],
            swiftSettings: strict),
        .testTarget(
            name: "touchdInspectTests",
            dependencies: ["ControlProtocol", "Evdev", "Layout", "Reports", "touchd-inspect"],
            swiftSettings: strict),
        .testTarget(
            name: "ReportsTests", dependencies: ["ControlProtocol", "Layout", "Reports"], swiftSettings: strict),
        // touchd with systemd in containers, and with other programs: browsers, brokers, compilers, parsers.
        .testTarget(
            name: "SystemTests",
            dependencies: [
                "touchd", "touchd-inspect", "touchd-web", "ControlProtocol", "EventLoop", "Evdev", "Handlers",
                "LabSupport", "Layout", "Network", "Service", "StuckKiosk", "TestSupport", "TouchKit",
                "TouchKitTesting", "example-museum", "mock-play",
            ],
            exclude: ["Support"], swiftSettings: strict),
        .testTarget(name: "BenchmarksTests", swiftSettings: strict),
        // Runs scripts in virtual machines and containers.
        .target(name: "LabSupport", path: "Tests/LabSupport", swiftSettings: strict),
        .testTarget(
            name: "LabTests",
            dependencies: [
                "LabSupport", "touchd-inspect", "touchd-web", "uinput-play", "EvdevProbe", "StuckKiosk",
            ],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)

// Only for `make docs`: a build of touchd, or of a program that uses it, need not fetch the DocC plugin.
if Context.environment["TOUCHD_DOCS"] != nil {
    package.dependencies.append(
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", .upToNextMinor(from: "1.5.0")))
}

// `make test`, `make test-system` and `make test-lab` build only the test targets that they run.
if let chosen = Context.environment["TOUCHD_TESTS"]?.split(separator: " ") {
    package.targets.removeAll { $0.isTest && !chosen.contains($0.name[...]) }
}
