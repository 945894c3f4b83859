import Foundation

/// The times and files of the helper; a test sets others.
package struct SenderSettings {
    var firstPause = Duration.seconds(1)
    /// How long it waits for a new session after one has ended: touchd restarts in less.
    var linger = Duration.seconds(3)
    /// How long it then keeps the outcomes of a session: touchd tries to connect at least every 30 s.
    var memory = Duration.seconds(35)
    /// The maximum time to send what is left.
    var drainTime = Duration.seconds(5)
    /// The maximum time for the last messages to brokers.
    var farewellTime = Duration.seconds(1)
    /// The maximum time from a connection to a broker's answer (CONNACK).
    var answerTime = Duration.seconds(10)
    var credentials = ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"]
    /// A file of certificates to trust instead of the system's; for tests only.
    var certificates: String?

    package init() {}
}
