/// What an application asks and tells the program it belongs to (`UIApplicationDelegate`).
///
/// Every method has a default. A delegate that is a `Responder` is the last in the responder chain.
public protocol ApplicationDelegate: AnyObject {
    /// Tells that the application is about to take its first event; false means that it should not start.
    func application(_ application: Application, didFinishLaunching options: [String: String]) -> Bool
    /// Tells that the application takes events again.
    func applicationDidBecomeActive(_ application: Application)
    /// Tells that the application is about to be interrupted.
    func applicationWillResignActive(_ application: Application)
    /// Tells that the application is about to end.
    func applicationWillTerminate(_ application: Application)
}

extension ApplicationDelegate {
    /// Starts the application.
    public func application(_ application: Application, didFinishLaunching options: [String: String]) -> Bool { true }

    /// Does nothing.
    public func applicationDidBecomeActive(_ application: Application) {}

    /// Does nothing.
    public func applicationWillResignActive(_ application: Application) {}

    /// Does nothing.
    public func applicationWillTerminate(_ application: Application) {}
}
