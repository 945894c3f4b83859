import Foundation
import Layout
import Testing

@Suite("Dates")
struct DateTextTests {
    @Test(
        "a date is written in UTC, to the second; one of another era as the nearest in the years 1 to 9999",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (1_793_491_200.9, "2026-11-01T00:00:00Z"), (-0.5, "1969-12-31T23:59:59Z"),
            (951_782_399, "2000-02-28T23:59:59Z"), (951_782_400, "2000-02-29T00:00:00Z"),
            (.infinity, "9999-12-31T23:59:59Z"), (-1e300, "0001-01-01T00:00:00Z"), (.nan, "1970-01-01T00:00:00Z"),
        ] as [(Double, String)])
    func text(seconds: Double, text: String) { #expect(Date(timeIntervalSince1970: seconds).utcText == text) }
}
