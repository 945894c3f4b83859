/// The part of a file that a request's Range header asks for (RFC 9110, section 14), as players of videos do.
enum ByteRange: Equatable {
    /// Everything: there is no such header, or one that a server may ignore, such as two ranges.
    case whole
    case part(Range<Int>)
    /// The file ends before the part.
    case outside

    init(_ header: String?, of size: Int) {
        self = .whole
        guard let header, header.hasPrefix("bytes=") else { return }
        let ends = header.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, ends.joined().allSatisfy({ "0"..."9" ~= $0 }) else { return }
        switch (Int(ends[0]), Int(ends[1])) {
        case (nil, nil): break
        case (nil, let count?): self = count > 0 && size > 0 ? .part(max(size - count, 0)..<size) : .outside
        case (let first?, let last):
            if let last, last < first { return }
            self = first < size ? .part(first..<min(last ?? size, size - 1) + 1) : .outside
        }
    }
}
