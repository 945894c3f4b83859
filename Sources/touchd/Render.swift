import ArgumentParser
import CommandSupport
import Foundation
import Layout
import Reports

/// `touchd render`.
struct Render: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Draw a layout: where each view is, what it is called, and what 'touchd check' warns of.",
        discussion: """
            The picture is SVG, in the points of the screen; a browser shows what a view does where the pointer is. PNG is \
            made of it by rsvg-convert, which Debian has in the package librsvg2-bin. With --heatmap it shows where a \
            recording, or what 'journalctl -o json' or '-o export' wrote, was touched: of private views nothing, and of a \
            recording all that was touched of the screen, on the page that is drawn, as a recording does not say which \
            one was shown.
            """)

    @OptionGroup var layout: LayoutChoice

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp("Where to write the picture: FILE.svg or FILE.png.", valueName: "file"), completion: .file())
    var output: String?

    @Option(
        help: ArgumentHelp("A recording or an exported journal whose touches are drawn too.", valueName: "file"),
        completion: .file())
    var heatmap: String?

    func validate() throws {
        guard output.map({ $0.hasSuffix(".svg") || $0.hasSuffix(".png") }) ?? true else {
            throw ValidationError("--output must end in .svg or .png, which says what to write")
        }
    }

    func run() throws {
        do {
            let place = try layout.load()
            var drawing = LayoutDrawing(place.document, page: place.page, screen: place.screen)
            if let heatmap {
                drawing.heatmap = try MainActor.assumeIsolated { try Heatmap(touchesOf: heatmap, on: place) }
            }
            try write(drawing.svg())
        } catch {
            throw CommandFailure.report(error)
        }
    }

    private func write(_ svg: String) throws {
        guard let output else { return print(svg, terminator: "") }
        if output.hasSuffix(".png") {
            try PNG.write(svg, to: output)
        } else {
            try PictureFile.write(svg, to: output)
        }
    }
}

/// Converts SVG to PNG with librsvg's program, so that touchd contains no drawing code.
private enum PNG {
    private static let converter = "/usr/bin/rsvg-convert"

    static func write(_ svg: String, to path: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: converter)
        process.arguments = ["--output", path]
        let input = Pipe()
        process.standardInput = input
        do {
            try process.run()
        } catch {
            throw UnavailableError(
                "\(converter): error: cannot be started; install librsvg2-bin, or write FILE.svg instead")
        }
        // rsvg-convert reads everything before it writes, so this cannot deadlock.
        try? input.fileHandleForWriting.write(contentsOf: Data(svg.utf8))
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw UnavailableError("\(path): error: cannot be written") }
    }
}
