import ArgumentParser

/// The options of commands whose exit status is their result.
struct ResultOptions: ParsableArguments {
    @Flag(help: "Print JSON, an array of objects.")
    var json = false

    @Flag(name: .shortAndLong, help: "Print only errors, and set the exit status.")
    var quiet = false

    func validate() throws {
        if json, quiet { throw ValidationError("--quiet prints no JSON; remove --json or --quiet") }
    }
}
