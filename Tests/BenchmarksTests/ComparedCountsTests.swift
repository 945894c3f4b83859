import Testing

/// `compare-counts`, the check in `make bench-check`.
@Suite struct ComparedCounts {
    private static let kept = "# Swift version 6.3, x86_64\ndecode\t1000\nhit\t200\n"

    private func compare(_ new: String) throws -> (status: Int32, output: String) {
        let script = try Script("compare-counts")
        try script.write(Self.kept, to: "kept")
        try script.write(new, to: "new")
        return try script.run("kept", "new")
    }

    @Test("an increase of up to 5 % passes, and so does any decrease")
    func passes() throws {
        let (status, output) = try compare("# Swift version 6.3, x86_64\ndecode\t1050\nhit\t100\n")
        #expect(status == 0)
        #expect(output.contains("+5.0 %") && output.contains("-50.0 %"))
    }

    @Test("an increase over 5 % fails with an explanation")
    func rise() throws {
        let (status, output) = try compare("# Swift version 6.3, x86_64\ndecode\t1051\nhit\t200\n")
        #expect(status == 1)
        #expect(output.contains("+5.1 %  more than 5 % above what is kept"))
        #expect(output.contains("make bench-check KEEP=1"))
    }

    @Test("a missing or a new count fails")
    func otherWork() throws {
        #expect(try compare("# Swift version 6.3, x86_64\ndecode\t1000\n").status == 1)
        #expect(try compare("# Swift version 6.3, x86_64\ndecode\t1000\nhit\t200\nmove\t1\n").status == 1)
    }

    @Test("counts of another compiler are shown but not compared, and this is reported")
    func otherCompiler() throws {
        let (status, output) = try compare("# Swift version 6.4, x86_64\ndecode\t2000\nhit\t200\n")
        #expect(status == 0)
        #expect(output.contains("+100.0 %"))
        #expect(
            output.contains(
                "kept of Swift version 6.3, x86_64, counted of Swift version 6.4, x86_64: nothing is judged"))
    }
}
