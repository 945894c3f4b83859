import Basics
import ControlProtocol
import Foundation

/// The texts of a layout's files as they were read, from which the same layout can be read again when the files have
/// changed or are gone.
package nonisolated struct LayoutSnapshot: JSONMessage, Equatable {
    /// A file of the layout.
    package struct File: JSONMessage, Equatable {
        package var path = "", text = ""
        package init() {}
        init(path: String, text: String) { (self.path, self.text) = (path, text) }

        package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member("path", "the path as it was read", \.path)
            visitor.member("text", "the file's text", \.text)
        }
    }

    package internal(set) var files: [File] = []
    package init() {}

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("files", "the files in the order in which they were read; the first is the main file", \.files)
    }

    /// The files that `include:` reads for a path: the file itself, or the files of a folder, in order.
    func files(at path: String) -> [(number: Int, file: File)] {
        files.enumerated().filter { $1.path == path || Self.folder(of: $1.path) == path }.map { ($0, $1) }
    }

    /// The first 12 digits of `cat FILES | sha256sum`, with the files in the order in which they were read.
    var hash: String {
        String(SHA256.digest(of: files.flatMap(\.text.utf8)).prefix(12))
    }

    /// The folders that contain the files.
    package var folders: Set<String> { Set(files.map { Self.folder(of: $0.path) }) }

    private static func folder(of path: String) -> String {
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        return folder.isEmpty ? (path.hasPrefix("/") ? "/" : ".") : folder
    }
}
