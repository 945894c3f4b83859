import Glibc

/// A day of the process's time zone (`TZ`). Without Foundation's calendar, which reads ICU's data.
struct CalendarDay: Equatable {
    /// How long a touch may last that began before midnight.
    static let margin: time_t = 600
    /// The greatest number of days that are made up for, and that wait to be sent.
    static let limit = 31

    /// `2026-11-28`
    let name: String
    /// In seconds since 1970.
    let start, end: time_t

    init(name: String, start: time_t, end: time_t) { (self.name, self.start, self.end) = (name, start, end) }

    /// The day some days after the one that a time is in.
    init(at time: time_t, offset: Int32) {
        var time = time, date = tm()
        localtime_r(&time, &date)
        /// The first second of a day. It is the first one after a gap if clocks skip midnight.
        func beginning(_ offset: Int32) -> time_t {
            var date = date
            (date.tm_hour, date.tm_min, date.tm_sec, date.tm_isdst) = (0, 0, 0, -1)
            date.tm_mday += offset
            return mktime(&date)
        }
        (start, end) = (beginning(offset), beginning(offset + 1))
        (date.tm_hour, date.tm_min, date.tm_sec, date.tm_isdst) = (12, 0, 0, -1)
        date.tm_mday += offset
        mktime(&date)
        var text = [CChar](repeating: 0, count: 16)
        let count = strftime(&text, text.count, "%Y-%m-%d", &date)
        name = String(decoding: text.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The days that have ended since another one, the oldest first.
    ///
    /// - Parameter last: The name of the last day that was judged; nil, or one in the future, for none.
    static func ended(since last: String?, now: time_t) -> [CalendarDay] {
        let days = (1...Int32(limit)).reversed().map { CalendarDay(at: now - margin, offset: -$0) }
        guard let last, let newest = days.last, last <= newest.name else { return days }
        return days.filter { $0.name > last }
    }
}
