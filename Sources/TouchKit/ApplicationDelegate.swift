import CEntryPoint
import Foundation

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

    // MARK: The program

    /// Runs a program whose delegate is marked `@main`, as `UIApplicationMain` does.
    ///
    /// It creates the delegate, asks it for its windows, reads this machine's touchscreens and mice, and delivers
    /// touches until SIGTERM or SIGINT (Ctrl-C). With `--replay FILE` it delivers a recording instead, at `--speed` if
    /// given, and exits at the recording's end.
    ///
    /// As a systemd service it behaves like touchd. It logs each touch to the journal, notifies systemd of readiness
    /// and feeds its watchdog. It opens a socket in its `RuntimeDirectory=` for `touchd status` and `touchd monitor`.
    ///
    /// `Timer`, `RunLoop.main`, `Task` and `DispatchQueue.main` work, by the real time. In a recording only
    /// ``Application/schedule(at:_:)`` follows the recording's time.
    ///
    /// Standard output is flushed before the loop sleeps, whether a terminal or another program reads it.
    ///
    /// All this is done by the module `Service`, a part of the product `TouchKit`. A program that uses the module
    /// `TouchKit` alone, with another loop, defines the C function `touchd_run_application`, which is called in
    /// place of the service's.
    ///
    /// A startup error is written to standard error. The exit status is 64 (`EX_USAGE`) for an invalid argument and 71
    /// (`EX_OSERR`) for anything else.
    public static func main() {
        Application.shared.delegate = Self()
        let hasService = run_application()
        precondition(hasService, "the program lacks the module 'Service'; it must depend on the product 'TouchKit'")
    }
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

    /// Asks the delegate whether to launch. If so, posts `didFinishLaunchingNotification` and returns true.
    package func finishLaunching() -> Bool {
        guard delegate?.application(self, didFinishLaunchingWithOptions: nil) ?? true else { return false }
        post(Self.didFinishLaunchingNotification)
        return true
    }

    /// Notifies the delegate that the application is about to terminate, then posts `willTerminateNotification`.
    package func terminate() {
        delegate?.applicationWillTerminate(self)
        post(Self.willTerminateNotification)
    }

    func post(_ name: Notification.Name) { NotificationCenter.default.post(name: name, object: self) }
}
