/// The methods that customize an application's lifecycle (`UIApplicationDelegate`).
///
/// Every method has a default. A delegate that is a `Responder` ends the responder chain. The program's start creates a
/// class marked `@main`, so the class must have an initializer without arguments.
public protocol ApplicationDelegate: AnyObject {
    /// Makes the delegate when the program starts.
    init()
    /// The application is about to accept its first event.
    /// - Returns: false to cancel the launch; the default is true.
    func application(
        _ application: Application, didFinishLaunchingWithOptions launchOptions: [Application.LaunchOptionsKey: Any]?
    ) -> Bool
    /// The application accepts events again.
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
}

extension Application {
    /// The reasons for a launch (`UIApplication.LaunchOptionsKey`); touchd never passes one.
    public nonisolated struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
        /// The key's name.
        public let rawValue: String

        /// Makes a key from its name.
        public init(rawValue: String) { self.rawValue = rawValue }
    }
}
