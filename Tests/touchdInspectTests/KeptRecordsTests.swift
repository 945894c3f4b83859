import Foundation
import Evdev
import Testing

import ControlProtocol
@testable import touchd_inspect

@Suite("The records of a recording") struct KeptRecordsTests {
    private func record(_ time: Double) -> InspectionRecord {
        InspectionRecord { $0.time = time }
    }

    @Test("the kept text is a JSON array of the records in order", arguments: [0, 1, 3])
    func text(count: Int) throws {
        var kept = KeptRecords()
        let records = (0..<count).map { record(Double($0)) }
        for record in records { kept.add(record) }
        try kept.finish(of: "screen.evemu")
        #expect(try JSONTree(kept.json).decode() == records)
    }

    @Test("a recording with too many records is refused, with the limit and the time")
    func limit() throws {
        var kept = KeptRecords(limit: 1000)
        for time in 0..<100 { kept.add(record(Double(time))) }
        #expect(kept.json.count <= 1000)
        let last = kept.lastTime
        #expect(last > 3 && last < 99)
        #expect(throws: RecordingError.tooLong(path: "screen.evemu", limit: 1000, seconds: last)) {
            try kept.finish(of: "screen.evemu")
        }
        #expect(
            "\(RecordingError.tooLong(path: "screen.evemu", limit: 64 << 20, seconds: 12.34))"
                == "screen.evemu: error: too long to show: it needs more than 64 MiB of memory (reached after 12.3 s); "
                + "split it into shorter recordings")
    }
}
