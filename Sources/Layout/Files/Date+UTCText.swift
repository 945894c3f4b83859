import Foundation

nonisolated extension Date {
    /// The date in UTC, to the second, by ISO 8601: `2026-11-01T01:00:00Z`.
    package var utcText: String { "\(utcText(separator: "T"))Z" }

    /// Year to second in UTC, without the zone: `2026-11-01 01:00:00`.
    ///
    /// `formatted(.iso8601)` would need ICU's data of time zones, which the programs do not have (`packaging/icu-data`). A date of another
    /// era is written as the nearest in the years 1 to 9999.
    package func utcText(separator: String) -> String {
        let interval = timeIntervalSince1970
        var seconds = time_t(interval.isNaN ? 0 : min(max(interval.rounded(.down), -62_135_596_800), 253_402_300_799))
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let day = String(format: "%04d-%02d-%02d", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday)
        return day + separator + String(format: "%02d:%02d:%02d", parts.tm_hour, parts.tm_min, parts.tm_sec)
    }
}
