import Foundation
import Testing

@testable import Basics

@Suite("A folder's names") struct DirectoryReaderTests {
    @Test("an entry is read only up to the end of its name")
    func shortEntry() throws {
        // The entry ends where the process's memory does: a read beyond it ends the process.
        let page = Int(getpagesize()), length = 24
        let pages = try #require(
            mmap(nil, 2 * page, PROT_READ | PROT_WRITE, Int32(MAP_PRIVATE | MAP_ANONYMOUS), -1, 0))
        defer { munmap(pages, 2 * page) }
        try #require(mprotect(pages + page, page, PROT_NONE) == 0)
        let entry = pages + page - length
        let name = try #require(MemoryLayout<dirent>.offset(of: \.d_name))
        (entry + name).copyMemory(from: "four", byteCount: 5)
        #expect(DirectoryReader.name(of: entry.assumingMemoryBound(to: dirent.self)) == "four")
    }

    @Test("all names are read, and the end is no error")
    func names() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "names")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let names = (0..<500).map { "name-\($0)" }
        for name in names { try Data().write(to: folder.appending(path: name)) }
        let reader = try #require(DirectoryReader(opendir(folder.path)))
        var read: Set<String> = []
        while let name = reader.next() { read.insert(name) }
        #expect(read == Set(names + [".", ".."]))
        #expect(reader.error == 0)
        #expect(DirectoryReader(opendir("/missing")) == nil)
    }
}
