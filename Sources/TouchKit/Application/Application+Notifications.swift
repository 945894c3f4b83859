import Foundation

/// The lifecycle notifications of `UIApplication`.
///
/// They are posted to `NotificationCenter.default`, with the application as the object, right after the delegate's
/// method returns. UIKit's background notifications are left out, because a kiosk has no background.
///
/// Before Swift 6.3, Foundation on Linux calls only observers whose object is nil (swift-corelibs-foundation, issue
/// 3218).
extension Application {
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
