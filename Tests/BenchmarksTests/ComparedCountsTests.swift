import Testing

/// `compare-counts`, the check in `make bench-check`.
@Suite struct ComparedCounts {
    @Test(
        "an increase over 5 %, a missing or a new count fails; counts of another compiler are shown but not compared",
        arguments: [
            ("3", "decode\t1050\nhit\t100\n", 0, ["+5.0 %", "-50.0 %"]),
            (
                "3", "decode\t1051\nhit\t200\n", 1,
                ["+5.1 %  more than 5 % above what is kept", "make bench-check KEEP=1"]
            ),
            ("3", "decode\t1000\n", 1, []), ("3", "decode\t1000\nhit\t200\nmove\t1\n", 1, []),
            (
                "4", "decode\t2000\nhit\t200\n", 0,
                [
                    "+100.0 %",
                    "kept of Swift version 6.3, x86_64, counted of Swift version 6.4, x86_64: nothing is judged",
                ]
            ),
        ])
    func compared(version: String, counts: String, status: Int32, output: [String]) throws {
        let script = try Script("compare-counts")
        try script.write("# Swift version 6.3, x86_64\ndecode\t1000\nhit\t200\n", to: "kept")
        try script.write("# Swift version 6.\(version), x86_64\n\(counts)", to: "new")
        let result = try script.run("kept", "new")
        #expect(result.status == status && output.allSatisfy { result.output.contains($0) })
    }
}
