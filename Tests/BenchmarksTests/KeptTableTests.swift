import Foundation
import Testing

/// `keep-table`, which writes a benchmark's table into docs/benchmarks.md.
@Suite struct KeptTables {
    private static let page = """
        # Benchmarks

        <!-- bench-loop -->
        | old |
        <!-- end of bench-loop -->

        - What the table says.

        <!-- bench-other -->
        | other |
        <!-- end of bench-other -->

        """

    private func keepTable() throws -> Script {
        let script = try Script("keep-table")
        try script.write(Self.page, to: "page.md")
        return script
    }

    @Test("a benchmark's output is printed and replaces only its table in the page")
    func replaced() throws {
        let script = try keepTable()
        let (status, output) = try script.run(
            "bench-loop", "printf", #"a & b \\ \n| new |\n"#, environment: ["BENCHMARKS": "page.md"])
        #expect(status == 0)
        #expect(output == "a & b \\ \n| new |\n")
        #expect(try script.read("page.md") == Self.page.replacing("| old |", with: "a & b \\ \n| new |"))
    }

    @Test("a benchmark that fails halfway leaves the page unchanged and is reported")
    func failed() throws {
        let script = try keepTable()
        let (status, output) = try script.run(
            "bench-loop", "sh", "-c", "echo '| new |'; exit 3", environment: ["BENCHMARKS": "page.md"])
        #expect(status == 1)
        #expect(output == "| new |\nkeep-table: sh failed, so page.md keeps what it had\n")
        #expect(try script.read("page.md") == Self.page)
    }

    @Test("a page without a place for the table is rejected before the benchmark runs")
    func noPlace() throws {
        let script = try keepTable()
        let (status, output) = try script.run(
            "bench-queue", "touch", "has-run", environment: ["BENCHMARKS": "page.md"])
        #expect(status == 1)
        #expect(output.contains("<!-- bench-queue -->"))
        #expect(throws: (any Error).self) { try script.read("has-run") }
    }

    @Test("docs/benchmarks.md has a place for each table of Benchmarks/Makefile")
    func places() throws {
        let repository = Script.repository
        let makefile = try String(contentsOf: repository.appending(path: "Benchmarks/Makefile"), encoding: .utf8)
        let page = try String(contentsOf: repository.appending(path: "docs/benchmarks.md"), encoding: .utf8)
        let tables = try #require(makefile.firstMatch(of: /TABLES := (.*)/)).output.1.split(separator: " ")
        #expect(tables.count >= 5)
        for table in tables {
            #expect(page.contains("\n<!-- \(table) -->\n") && page.contains("\n<!-- end of \(table) -->\n"), "\(table)")
        }
    }
}
