import Foundation
import Testing

@testable import TestSupport

/// `touchd.d.ts`, in Debian's TypeScript compiler.
@Suite("The TypeScript declarations", .needs("node-typescript")) struct DeclarationTests {
    private func compile(_ program: String) throws -> TouchdProgram.Outcome {
        let folder = try TemporaryFolder()
        return try TouchdProgram.run(
            [
                "tsc", "--noEmit", "--strict", "--target", "es2022", "--lib", "es2022,dom",
                TouchdProgram.root.appending(path: "Sources/WebBridge/Page/touchd.d.ts").path,
                folder.file("page.ts", program).path,
            ], program: "/usr/bin/env")
    }

    @Test("a page in TypeScript compiles: events on elements and on the document, and requests")
    func valid() throws {
        let result = try compile(
            """
            const picture = document.getElementById("picture")!;
            let scale = 1;
            picture.addEventListener("touchd:pinch", ({ detail }) => {
              if (detail.state === "changed" && detail.scale !== undefined) scale = detail.scale;
            });
            picture.addEventListener("touchd:pan", ({ detail }) => {
              const [x, y] = detail.translation ?? [0, 0];
              picture.style.translate = `${x}px ${y}px`;
            });
            document.addEventListener("touchd:error", ({ detail }) => {
              for (const { view, message } of detail.views ?? []) console.error(view, message, detail.code);
            });
            document.addEventListener("touchd:page", ({ detail }) => console.log(detail.page.length));
            if (touchd.connected) touchd.request({ request: "go", page: "start" }).catch(console.error);
            touchd.request({ request: "switch-on", view: "sound" });

            """)
        #expect(result.status == 0, "\(result.output)")
    }

    @Test("a request without its argument, one of the administrator, and a detail of another event are errors")
    func invalid() throws {
        let result = try compile(
            """
            touchd.request({ request: "go" });
            touchd.request({ request: "reload" });
            document.body.addEventListener("touchd:pressed", ({ detail }) => detail.scale);
            touchd.connected = true;

            """)
        let lines = result.output.matches(of: /page\.ts\((\d+),/).map { String($0.output.1) }
        #expect(lines == ["1", "2", "3", "4"], "\(result.output)")
    }
}
