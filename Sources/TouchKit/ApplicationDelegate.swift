import Foundation

/// The methods that customize an application's lifecycle (`UIApplicationDelegate`).
///
/// Every method has a default. A delegate that is a `Responder` ends the responder chain. `@main` makes a class a program;
/// its `main()` is in the module `Service`, so the class's file needs `import Service`. The program's start creates the
/// class, so it must have an initializer without arguments.
///
/// ```swift
/// import Service
/// import TouchKit
///
/// @main final class Kiosk: ApplicationDelegate {
///     func application(
///         _ application: Application, didFinishLaunchingWithOptions options: [Application.LaunchOptionsKey: Any]?
///     ) -> Bool {
///         let window = Window(frame: Screen.main.bounds)
///         window.rootViewController = ViewController()
///         window.makeKeyAndVisible()
///         return true
///     }
/// }
/// ```
@MainActor @preconcurrency public protocol ApplicationDelegate: AnyObject {
    /// Makes the delegate when the program starts.
    init()
    /// The application is about to accept its first event.
    /// - Returns: false to cancel the launch; the default is true.
    func application(
        _ application: Application, didFinishLaunchingWithOptions launchOptions: [Application.LaunchOptionsKey: Any]?
    ) -> Bool
    /// The application has launched, or accepts events again.
    func applicationDidBecomeActive(_ application: Application)
    /// The application is about to be interrupted.
    func applicationWillResignActive(_ application: Application)
    /// The application is about to terminate; every touch has ended or was cancelled.
    func applicationWillTerminate(_ application: Application)
}

extension ApplicationDelegate {
    /// Returns true.
    public func application(
        _ application: Application, didFinishLaunchingWithOptions launchOptions: [Application.LaunchOptionsKey: Any]?
    ) -> Bool { true }

    /// Does nothing.
    public func applicationDidBecomeActive(_ application: Application) {}

    /// Does nothing.
    public func applicationWillResignActive(_ application: Application) {}

    /// Does nothing.
    public func applicationWillTerminate(_ application: Application) {}

    /// The module `Service` has the `main()` of a delegate that is marked `@main`.
    @available(*, unavailable, message: "add 'import Service' to the file with '@main'")
    public static func main() {}
}

extension Application {
    /// The reasons for a launch (`UIApplication.LaunchOptionsKey`); touchd never passes one.
    public nonisolated struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
        /// The key's name.
        public let rawValue: String

        /// Makes a key from its name.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    // MARK: Lifecycle notifications

    // The lifecycle notifications of `UIApplication`.
    //
    // They are posted to `NotificationCenter.default`, with the application as the object, right after the delegate's
    // method returns. UIKit's background notifications are left out, because a kiosk has no background.
    //
    // Before Swift 6.3, Foundation on Linux calls only observers whose object is nil (swift-corelibs-foundation, issue
    // 3218).

    /// The application has launched.
    public nonisolated static let didFinishLaunchingNotification = Notification.Name(
        "UIApplicationDidFinishLaunchingNotification")
    /// The application accepts events again.
    public nonisolated static let didBecomeActiveNotification = Notification.Name(
        "UIApplicationDidBecomeActiveNotification")
    /// The application is about to be interrupted.
    public nonisolated static let willResignActiveNotification = Notification.Name(
        "UIApplicationWillResignActiveNotification")
    /// The application is about to terminate.
    public nonisolated static let willTerminateNotification = Notification.Name(
        "UIApplicationWillTerminateNotification")

    /// Asks the delegate whether to launch. If so, posts `didFinishLaunchingNotification`, becomes active unless the delegate
    /// has interrupted it, and returns true.
    package func finishLaunching() -> Bool {
        guard delegate?.application(self, didFinishLaunchingWithOptions: nil) ?? true else { return false }
        post(Self.didFinishLaunchingNotification)
        if applicationState == .active { didBecomeActive() }
        return true
    }

    /// Notifies the delegate that the application is about to terminate, then posts `willTerminateNotification`.
    package func terminate() {
        delegate?.applicationWillTerminate(self)
        post(Self.willTerminateNotification)
    }

    func post(_ name: Notification.Name) { NotificationCenter.default.post(name: name, object: self) }
}
