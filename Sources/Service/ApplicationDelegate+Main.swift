import Foundation
import TouchKit

extension ApplicationDelegate {
    /// The whole of a program whose delegate is marked `@main`, as `UIApplicationMain` is.
    ///
    /// It makes the delegate, asks it for its windows, reads this machine's touchscreens and mice, and delivers touches
    /// until SIGTERM or Ctrl-C. What keeps it from starting is said on standard error, with exit status 71 (`EX_OSERR`).
    public static func main() {
        let delegate = Self()
        Application.shared.delegate = delegate
        do {
            try Daemon(.init()).run()
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(EX_OSERR)
        }
    }
}
