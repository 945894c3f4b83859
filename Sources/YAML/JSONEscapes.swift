/// Escapes of JSON that YAML 1.1 lacks.
package enum JSONEscapes {
    /// A JSON text in which each surrogate pair is one escape of YAML, `\U0001F600` for `\ud83d\ude00`: libyaml refuses the
    /// halves. Spaces after the string keep the columns of what follows. Another text is returned as it is.
    package static func joiningSurrogates(in text: String) -> String {
        let bytes = Array(text.utf8)
        let start = bytes.firstIndex { !" \n\r\t\u{FEFF}".utf8.contains($0) }
        guard let start, bytes[start] == UInt8(ascii: "{"), text.contains(#"\u"#) else { return text }
        var result: [UInt8] = [], (position, missing, isInside) = (0, 0, false)
        result.reserveCapacity(bytes.count)
        while position < bytes.count {
            if isInside, bytes[position] == UInt8(ascii: "\\") {
                if let high = unit(bytes, position), let low = unit(bytes, position + 6),
                    (0xD800..<0xDC00).contains(high), (0xDC00..<0xE000).contains(low)
                {
                    let digits = String(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00), radix: 16)
                    result += (#"\U"# + String(repeating: "0", count: 8 - digits.count) + digits).utf8
                    (position, missing) = (position + 12, missing + 2)
                } else {
                    result += bytes[position..<min(position + 2, bytes.count)]
                    position += 2
                }
                continue
            }
            result.append(bytes[position])
            if bytes[position] == UInt8(ascii: "\"") {
                isInside.toggle()
                result += repeatElement(UInt8(ascii: " "), count: missing)
                missing = 0
            }
            position += 1
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The UTF-16 unit of an escape at a position; nil for anything else there.
    private static func unit(_ bytes: [UInt8], _ position: Int) -> Int? {
        guard position + 6 <= bytes.count, bytes[position...].starts(with: #"\u"#.utf8) else { return nil }
        return Int(String(decoding: bytes[position + 2..<position + 6], as: UTF8.self), radix: 16)
    }
}
