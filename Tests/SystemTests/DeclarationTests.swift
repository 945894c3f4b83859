import ControlProtocol
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
                TouchdProgram.root.appending(path: "Sources/touchd-web/Page/touchd.d.ts").path,
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

    @Test("members and requests of the control socket have the names and types of its tables")
    func table() throws {
        let records: [(String, any JSONRecord.Type)] =
            EventTable.all.map { ("\($0.event)", $0) } + [("problem", PublicationError.Problem.self)]
        let types = records.map { "type \($0.0)_ = \(TypeScript<Never>.object($0.1));" }
        let requests = ControlRequest.all.map { TypeScript<Never>.request($0) }.joined(separator: " | ")
        let result = try compile(
            """
            \(types.joined(separator: "\n"))
            type request_ = \(requests);
            // The members of a detail that the table does not have, or with other types. The wire may have more values.
            type Wrong<Detail, Wire> = {
              [K in keyof Detail]-?: K extends keyof Wire
                ? [Detail[K], undefined extends Wire[K] ? undefined : never] extends [Wire[K], Detail[K]] ? never : K
                : K
            }[keyof Detail];
            type Right<Name extends never> = Name;
            type Page<Name extends keyof TouchdDocumentEvents> = TouchdDocumentEvents[Name]["detail"];
            type Results = [
              // touchd.js knows which finger is the first.
              Right<Wrong<TouchdTouch, touch_ & { isPrimary: boolean }>>,
              Right<Wrong<TouchdControl, control_>>,
              // touchd.js calls the trigger state.
              Right<Wrong<TouchdGesture, gesture_ & { state: gesture_["trigger"] }>>,
              Right<Wrong<Page<"touchd:page">, page_>>,
              Right<Wrong<Page<"touchd:layout">, layout_>>,
              Right<Wrong<Page<"touchd:published">, published_>>,
              Right<Wrong<Page<"touchd:idle">, idle_>>,
              Right<Wrong<Page<"touchd:woken">, idle_>>,
              Right<Wrong<NonNullable<TouchdError["views"]>[number], problem_>>,
            ];
            const request = (request: TouchdRequest): request_ => request;
            // A member that the table does not have, has as another type, or may omit is found.
            const missing: Wrong<{ time: number; way: number }, touch_> = "way";
            const other: Wrong<{ time: string; x?: number }, touch_> = "time";
            const absent: Wrong<{ time: number; x: number }, touch_> = "x";

            """)
        #expect(result.status == 0, "\(result.output)")
    }
}

/// The members of a message as a type of TypeScript.
private struct TypeScript<Record>: MemberVisitor, CaseVisitor {
    var members: [String] = []

    mutating func member<Value: JSONWritable>(
        _ name: StaticString, _ unit: MemberUnit?, _ meaning: StaticString, _ value: (Record) -> Value
    ) {
        if case .optional = Value.form { add(name, Value.form, isOptional: true) } else { add(name, Value.form) }
    }

    mutating func member<Value>(
        _ name: StaticString, _ kind: CaseMember<Value>, _ meaning: StaticString, _ value: inout Value
    ) { add(name, Value.form, isOptional: kind.isOptional) }

    private mutating func add(_ name: StaticString, _ form: JSONForm, isOptional: Bool = false) {
        members.append("\(name)\(isOptional ? "?" : ""): \(form.typeScript)")
    }
}

extension TypeScript where Record == Never {
    static func object<Message: JSONRecord>(_ type: Message.Type) -> String {
        var visitor = TypeScript<Message>()
        Message.members(&visitor)
        return "{ \(visitor.members.joined(separator: "; ")) }"
    }

    static func request(_ request: ControlRequest) -> String {
        var (request, visitor) = (request, TypeScript<ControlRequest>(members: ["request: \"\(request.name)\""]))
        request.visit(&visitor)
        return "{ \(visitor.members.joined(separator: "; ")) }"
    }
}

extension JSONForm {
    fileprivate var typeScript: String {
        switch self {
        case .text: "string"
        case .number, .integer: "number"
        case .bool: "boolean"
        case .any: "unknown"
        case .choice(let texts): texts.map { "\"\($0)\"" }.joined(separator: " | ")
        case .list(let item): "(\(item.typeScript))[]"
        case .numbers(let count): "[\(Array(repeating: "number", count: count).joined(separator: ", "))]"
        case .object(let value): "Record<string, \(value.typeScript)>"
        case .record(let type): TypeScript<Never>.object(type)
        case .either(let one, let other): "\(one.typeScript) | \(other.typeScript)"
        case .optional(let form): form.typeScript
        case .orNull(let form): "\(form.typeScript) | null"
        }
    }
}
