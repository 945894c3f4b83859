import ArgumentParser
import Layout

/// `touchd schema`.
struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Print the JSON Schema of layouts, for editors.",
        discussion: """
            The packages install it. With its path in the first line of a layout, an editor completes and checks keys:
              # yaml-language-server: $schema=/usr/share/touchd/touchd.schema.json
            """)

    func run() { print(LayoutVocabulary().schema, terminator: "") }
}
