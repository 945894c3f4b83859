import ArgumentParser
import CommandSupport
import Foundation
import Layout
import Reports

struct Render: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render",
        abstract: "Draw a layout with the place and name of each view and the warnings of 'touchd check'.",
        discussion: """
            The picture is SVG, or PNG for a FILE.png, in points of the screen, with a legend below. It shows the layout after the 'appeared' handlers of \
            its pages; programs, messages and keys of these handlers are left out. In a browser, the pointer on a view shows \
            its handlers. For PNG, \
            install librsvg2-bin, which has rsvg-convert. --heatmap adds the touches of a recording or of a journal exported \
            with 'journalctl -o json' or '-o export', without those in private views. A recording does not contain the \
            current page, so all its touches are drawn on the chosen page.
            """)

    @OptionGroup var layout: LayoutChoice

    @OptionGroup var output: OutputOption

    @Option(
        help: .file("A recording or an exported journal whose touches to draw; - is standard input."),
        completion: .file())
    var heatmap: String?

    func validate() throws {
        guard output.path.map({ $0.hasSuffix(".svg") || $0.hasSuffix(".png") }) ?? true else {
            throw ValidationError("--output must end in .svg or .png")
        }
    }

    func run() throws {
        try CommandFailure.reporting {
            let place = try layout.loadAppeared()
            var drawing = LayoutDrawing(place.document, page: place.page, screen: place.screen)
            if let heatmap {
                drawing.heatmap = try MainActor.assumeIsolated { try Heatmap(touchesOf: heatmap, on: place) }
            }
            try write(drawing.svg())
        }
    }

    private func write(_ svg: String) throws {
        guard let path = output.path, path.hasSuffix(".png") else { return try output.write(svg) }
        try PNG.write(svg, to: path)
    }
}

/// Converts SVG to PNG with librsvg's program, so that touchd contains no drawing code.
private enum PNG {
    private static let converter = "/usr/bin/rsvg-convert"

    static func write(_ svg: String, to path: String) throws {
        try OutputOption.check(path)
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
        guard process.terminationStatus == 0 else {
            throw UnavailableError("\(path): error: cannot be written", status: EX_CANTCREAT)
        }
    }
}
