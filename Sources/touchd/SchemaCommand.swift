import ArgumentParser
import Layout

/// `touchd schema`.
struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Print the JSON Schema of layouts, for editors, or of the control socket's lines.",
        discussion: """
            The packages install it. With its path in the first line of a layout, an editor completes and checks keys:
              # yaml-language-server: $schema=/usr/share/touchd/touchd.schema.json
            """)

    @Flag(name: .customLong("protocol"), help: "Print the schema of the control socket's lines.")
    var isOfProtocol = false

    func run() { print(isOfProtocol ? ProtocolSchema.text : LayoutVocabulary().schema, terminator: "") }
}
