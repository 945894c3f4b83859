import Foundation
import LabSupport
import Testing

/// A program on touchd's library whose handlers do not return in time; `Tests/Lab/stuck.sh` runs it.
@Suite("Handlers that do not return, in a container", .needsContainer)
struct StuckHandlerTests {
    @Test("a touch that waited too long for a handler is dropped, and those that began before end once")
    func slowHandler() async throws {
        let run = try await LabRun.stuck.value
        let touches = try run.lines("slow-touches").compactMap { line -> String? in
            let record = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            guard let touch = record?["touch"] as? Int, let phase = record?["phase"] as? String else { return nil }
            return phase == "moved" ? nil : "\(touch) \(phase)"
        }
        #expect(touches == ["1 began", "2 began", "1 ended", "2 ended", "3 began", "3 ended"])
        #expect(try run.lines("slow-log").count == 1)
    }

    @Test("a handler that does not return is named, and the service is restarted")
    func stuckHandler() async throws {
        let run = try await LabRun.stuck.value
        let entries = try run.lines("stuck-journal").map(JournalEntry.init(json:))

        let stuck = try #require(entries.firstIndex { $0["MESSAGE_ID"] == MessageID.handlerStuck.rawValue })
        #expect(entries[stuck]["TOUCHD_HANDLER"] == "stuck")
        #expect(entries[stuck]["PRIORITY"] == "2")
        #expect(entries[stuck]["MESSAGE"]?.contains("the handler 'stuck' has not returned for 5 s") == true)
        #expect(entries.contains { $0["MESSAGE"]?.contains("Watchdog timeout") == true })
        let started = try #require(entries.lastIndex { $0["MESSAGE_ID"] == MessageID.started.rawValue })
        #expect(started > stuck)
        #expect(try run.lines("restarted").contains("NRestarts=1"))
        // Touches that were down during the start are not delivered; later ones are numbered from 1 again.
        let touches = entries[started...].filter(\.isTouch).map {
            "\($0["TOUCHD_TOUCH"] ?? "") \($0["TOUCHD_PHASE"] ?? "")"
        }
        #expect(touches == ["1 began", "1 ended"])
    }
}
