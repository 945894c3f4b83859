/// What an application asks and tells the program it belongs to (`UIApplicationDelegate`).
///
/// Every method has a default. A delegate that is a `Responder` is the last in the responder chain. A class marked `@main`
/// is made by the program's start, so it has to be possible to make one without arguments.
public protocol ApplicationDelegate: AnyObject {
    /// Makes the delegate of a program that starts.
    init()
    /// Tells that the application is about to take its first event; false means that it should not start.
    func application(
        _ application: Application, didFinishLaunchingWithOptions launchOptions: [Application.LaunchOptionsKey: Any]?
    ) -> Bool
    /// Tells that the application takes events again.
    func applicationDidBecomeActive(_ application: Application)
    /// Tells that the application is about to be interrupted.
    func applicationWillResignActive(_ application: Application)
    /// Tells that the application is about to end; every touch has ended or was cancelled.
    func applicationWillTerminate(_ application: Application)
}

extension ApplicationDelegate {
    /// Starts the application.
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
    /// Why an application was started (`UIApplication.LaunchOptionsKey`); nothing starts a kiosk's with a reason yet.
    public nonisolated struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
        /// The key's name.
        public let rawValue: String

        /// Makes a key from its name.
        public init(rawValue: String) { self.rawValue = rawValue }
    }
}
