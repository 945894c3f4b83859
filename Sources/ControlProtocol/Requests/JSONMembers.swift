/// Parts of a JSON text that is not parsed yet.
nonisolated enum JSONMembers {
    /// Takes a member out of the top-level object of a text, so that the rest can be parsed without it.
    ///
    /// A text that is not JSON stays what it is, or stays invalid: the parser of the rest reports it.
    ///
    /// - Parameters:
    ///   - name: The member's name, without characters that JSON could escape.
    ///   - value: Receives the text of the member's value; stays nil without such a member.
    /// - Returns: The text with `null` in the place of the value.
    static func removing(_ name: String, from text: [UInt8], _ value: inout [UInt8]?) -> [UInt8] {
        guard let range = range(of: Array("\"\(name)\"".utf8), in: text) else { return text }
        value = Array(text[range])
        return text[..<range.lowerBound] + Array("null".utf8) + text[range.upperBound...]
    }

    /// The text with 1e308 or -1e308 in place of each number beyond the range of `Double`.
    static func limitingNumbers(of text: [UInt8]) -> [UInt8] {
        text.withUnsafeBufferPointer { text in
            var result: [UInt8] = [], position = 0
            while position < text.count {
                let isString = text[position] == UInt8(ascii: "\"")
                let length = text[position...].prefix { "+-.0123456789Ee".utf8.contains($0) }.count
                let end = isString ? endOfString(in: text, from: position) : position + max(length, 1)
                let part = text[position..<end]
                if length > 0, let number = Double(String(decoding: part, as: UTF8.self)), number.isInfinite {
                    result += (number < 0 ? "-1e308" : "1e308").utf8
                } else {
                    result += part
                }
                position = end
            }
            return result
        }
    }

    /// The bytes of the value of the first top-level member with a quoted name.
    private static func range(of name: [UInt8], in text: [UInt8]) -> Range<Int>? {
        text.withUnsafeBufferPointer { text in
            var depth = 0, position = 0, start: Int?
            // The last string, if only white space follows it.
            var isNamed = false
            while position < text.count {
                switch text[position] {
                case UInt8(ascii: "\""):
                    let end = endOfString(in: text, from: position)
                    isNamed = depth == 1 && start == nil && text[position..<end].elementsEqual(name)
                    position = end
                    continue
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    if depth == 1, let start { return start..<position }
                    depth -= 1
                case UInt8(ascii: ","): if depth == 1, let start { return start..<position }
                case UInt8(ascii: ":"): if depth == 1, isNamed, start == nil { start = position + 1 }
                case 0x20, 0x09, 0x0D: position += 1; continue
                default: break
                }
                isNamed = false
                position += 1
            }
            return nil
        }
    }

    private static func endOfString(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var position = start + 1
        while position < text.count, text[position] != UInt8(ascii: "\"") {
            position += text[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(position + 1, text.count)
    }
}
