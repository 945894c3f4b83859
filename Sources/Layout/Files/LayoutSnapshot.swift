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

    /// An included folder.
    package struct Folder: JSONMessage, Equatable {
        package var path = "", names: [String] = []
        package init() {}
        init(path: String, names: [String]) { (self.path, self.names) = (path, names) }

        package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member("path", "the path as it was read", \.path)
            visitor.member("names", "the names of its files, in order", \.names)
        }
    }

    package internal(set) var files: [File] = []
    /// The paths of files and folders are those that the same texts ask for again, however they name the folder.
    package internal(set) var folders: [Folder] = []
    package init() {}

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("files", "the files in the order in which they were read; the first is the main file", \.files)
        visitor.member("folders", "the included folders", \.folders)
    }

    /// Whether the main file is the one at a path, which may be missing now.
    package func isOf(_ path: String) -> Bool {
        files.first.map { Self.place(of: $0.path) == Self.place(of: path) } ?? false
    }

    private static func place(of path: String) -> String {
        let url = URL(filePath: path), folder = url.deletingLastPathComponent().path
        return "\(RealPath.of(folder) ?? folder)/\(url.lastPathComponent)"
    }

    /// The first 12 digits of `cat FILES | sha256sum`, with the files in the order in which they were read.
    var hash: String {
        String(SHA256.digest(of: files.flatMap(\.text.utf8)).prefix(12))
    }
}
