import Foundation

/// The notifications of an application's life, posted to `NotificationCenter.default` with the application as the object
/// just after the delegate is called, as `UIApplication` does.
///
/// There is no background on a kiosk, so UIKit's notifications about it are left out.
extension Application {
    /// The application was launched.
    public nonisolated static let didFinishLaunchingNotification = Notification.Name(
        "UIApplicationDidFinishLaunchingNotification")
    /// The application receives events again.
    public nonisolated static let didBecomeActiveNotification = Notification.Name(
        "UIApplicationDidBecomeActiveNotification")
    /// The application is about to be interrupted.
    public nonisolated static let willResignActiveNotification = Notification.Name(
        "UIApplicationWillResignActiveNotification")
    /// The application is about to end.
    public nonisolated static let willTerminateNotification = Notification.Name(
        "UIApplicationWillTerminateNotification")

    /// Asks the delegate whether to launch, and posts the notification if so.
    package func finishLaunching() -> Bool {
        guard delegate?.application(self, didFinishLaunchingWithOptions: nil) ?? true else { return false }
        post(Self.didFinishLaunchingNotification)
        return true
    }

    /// Calls the delegate because the application is about to end, and posts the notification.
    package func terminate() {
        delegate?.applicationWillTerminate(self)
        post(Self.willTerminateNotification)
    }

    func post(_ name: Notification.Name) { NotificationCenter.default.post(name: name, object: self) }
}
