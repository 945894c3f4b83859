@testable import ControlProtocol
import Foundation
import Handlers
import Outputs
import Testing

@testable import Service

@Suite("Message IDs of handler failures") struct HandlerIdentityTests {
    @Test(
        "programs, requests, messages and exceeded limits have different message IDs",
        arguments: [
            (HandlerFailure.notStarted(program: "/p", reason: "r"), MessageID.programFailed),
            (.program("/p", how: "failed"), .programFailed),
            (.timedOut(program: "/p", after: 2), .programTimedOut),
            (.tooManyPrograms(running: 1, ofStep: true), .programLimitReached),
            (.requestNotSent(to: "https://h", reason: "r"), .requestNotSent),
            (.messageNotSent(to: "mqtt://h", reason: "r"), .messageNotSent),
            (.nowhereToPublish, .messageNotSent), (.noLayout, .handlerFailed),
            (.notEmitted(reason: "r"), .handlerFailed),
        ])
    func identities(failure: HandlerFailure, identity: MessageID) {
        #expect(MessageID(failure) == identity)
    }

    @Test("a program's line is an entry with its handler's name and a priority")
    func programLine() throws {
        let journald = JournalReceiver()
        let journal = ProgramJournal(JournalSender(loop: try .init(), path: journald.path))
        journal.write(ProgramLine(handler: "chime", process: 77, priority: 4, text: "MESSAGE_ID=faked"))
        #expect(
            journald.receive() == [
                [
                    "MESSAGE": "MESSAGE_ID=faked", "PRIORITY": "4", "SYSLOG_IDENTIFIER": "chime", "SYSLOG_PID": "77",
                    "TOUCHD_HANDLER": "chime",
                ]
            ])
    }

    @Test("while journald reads nothing, programs leave most of the queue to touches")
    func room() throws {
        let journald = JournalReceiver()
        let journal = ProgramJournal(JournalSender(loop: try .init(), path: journald.path))
        journald.close()
        let line = ProgramLine(handler: "h", process: 1, priority: 6, text: String(repeating: "x", count: 4000))
        var count = 0
        while journal.hasRoom, count < 10_000 {
            journal.write(line)
            count += 1
        }
        #expect(count > 100 && count * line.text.count < JournalSender.capacity / 7)
    }
}
