import Testing

@testable import WebServer

@Suite("The Range header") struct ByteRangeTests {
    @Test(
        "a range is a part of the file, up to its end",
        arguments: [
            ("bytes=0-", 0..<10), ("bytes=0-0", 0..<1), ("bytes=3-5", 3..<6), ("bytes=9-99", 9..<10),
            ("bytes=-4", 6..<10), ("bytes=-99", 0..<10),
        ])
    func parts(header: String, part: Range<Int>) { #expect(ByteRange(header, of: 10) == .part(part)) }

    @Test("a range after the end is refused", arguments: ["bytes=10-", "bytes=10-20", "bytes=-0"])
    func outside(header: String) {
        #expect(ByteRange(header, of: 10) == .outside)
        #expect(ByteRange("bytes=0-", of: 0) == .outside && ByteRange("bytes=-1", of: 0) == .outside)
    }

    @Test(
        "another header, several ranges and nonsense mean the whole file",
        arguments: [nil, "", "bytes=", "bytes=-", "bytes=5-3", "bytes=0-1,3-4", "lines=0-1", "bytes=a-", "bytes=+1-2"])
    func whole(header: String?) { #expect(ByteRange(header, of: 10) == .whole) }
}
