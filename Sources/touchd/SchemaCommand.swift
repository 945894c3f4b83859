import ArgumentParser
import Layout

/// `touchd schema`.
struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Print the JSON Schema of layouts, for editors.",
        discussion: """
            With the file's path in the first line of a layout, an editor completes and checks its keys:
              # yaml-language-server: $schema=touchd.schema.json
            """)

    func run() { print(LayoutVocabulary().schema, terminator: "") }
}
