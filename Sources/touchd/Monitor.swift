import ControlProtocol
import ArgumentParser
import Basics
import CLinux
import CommandSupport
import Foundation

struct Monitor: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "monitor",
        abstract: "Print touches and other events of the running touchd, live.",
        discussion: """
            Prints touches, gestures, devices, pages and messages that handlers publish, one line each with the time of day, until Ctrl-C. If \
            this program is too slow, touchd drops lines and reports how many are missing.
            """)

    @Flag(help: "Print JSON, one object per line, as received from the socket.")
    var json = false

    @Flag(help: "Print moves, too.")
    var moves = false

    @OptionGroup var control: ControlOptions

    func run() throws {
        // It runs until it is ended, so that is no failure.
        for number in [SIGINT, SIGTERM] { signal(number) { _ in _exit(EX_OK) } }
        try control.run { connection in
            try connection.send(
                .subscribe(to: [.touches, .gestures, .controls, .devices, .pages, .idle, .published], moves: moves))
            while true {
                let line = try connection.nextEvent()
                let words = Self.time(of: .now) + EventText.words(of: line)
                print(json ? String(decoding: line, as: UTF8.self) : words.fittedToTerminal)
                // A person or a program waits for each line.
                guard flush_standard_output() else { throw UnavailableError.noOutput() }
            }
        }
    }

    /// The time of day at which an event arrived, in place of the kernel's clock.
    private static func time(of date: Date) -> String {
        var parts = tm(), seconds = time_t(date.timeIntervalSince1970.rounded(.down))
        localtime_r(&seconds, &parts)
        let milliseconds = Int((date.timeIntervalSince1970 - Double(seconds)) * 1000)
        return String(format: "%02d:%02d:%02d.%03d  ", parts.tm_hour, parts.tm_min, parts.tm_sec, milliseconds)
    }
}
