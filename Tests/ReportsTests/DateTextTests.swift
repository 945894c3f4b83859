import ControlProtocol
import Foundation
import Testing

@Suite("Dates")
struct DateTextTests {
    @Test(
        "a date is written in UTC, to the second",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (1_793_491_200.9, "2026-11-01T00:00:00Z"), (-0.5, "1969-12-31T23:59:59Z"),
            (951_782_399, "2000-02-28T23:59:59Z"), (951_782_400, "2000-02-29T00:00:00Z"),
        ] as [(Double, String)])
    func text(seconds: Double, text: String) {
        #expect(Date(timeIntervalSince1970: seconds).utcText == text)
        #expect(Date(timeIntervalSince1970: seconds).formatted(.iso8601) == text)
    }

    @Test("a date of another era is written as the nearest in the years 1 to 9999")
    func limits() {
        #expect(Date(timeIntervalSince1970: .infinity).utcText == "9999-12-31T23:59:59Z")
        #expect(Date(timeIntervalSince1970: -1e300).utcText == "0001-01-01T00:00:00Z")
        #expect(Date(timeIntervalSince1970: .nan).utcText == "1970-01-01T00:00:00Z")
    }
}
