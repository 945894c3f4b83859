import ControlProtocol
import Foundation
import Testing

@testable import Handlers
@testable import Layout

/// The messages and requests that handlers make of a context's facts.
@Suite struct OutgoingMessageTests {
    /// The facts of a missing device.
    private func facts(device: String = "Panel", _ arguments: [String: String] = [:]) -> HandlerFacts {
        HandlerFacts(
            HandlerContext(.absent, .device(device)), handler: "tell", arguments: arguments,
            deviceName: { _ in "" }, now: { 12.5 })
    }

    @Test("without a body the facts are posted as one JSON object")
    func requestOfFacts() throws {
        let message = try facts(["seat": "A\"1"]).request(HTTPSpec(url: "http://127.0.0.1:81/kiosk"))
        let request = try #require(message.http)
        #expect(request.server == "http://127.0.0.1:81" && request.url == "http://127.0.0.1:81/kiosk")
        #expect(request.headers == ["Content-Type: application/json"])
        #expect(
            String(decoding: message.body, as: UTF8.self) == """
                {"trigger": "absent", "handler": "tell", "device": "Panel", "time": 12.5, "with": {"seat": "A\\"1"}}
                """)
    }

    @Test("facts are percent-encoded in a URL and stay in one line in a header")
    func templates() throws {
        let device = Template.Segment.fact("device")
        let spec = HTTPSpec(
            url: Template(segments: [.text("http://h/d/"), device]), body: Template(segments: [device]),
            headers: ["X-Device": Template(segments: [.text("<"), device, .text(">")])])
        let message = try facts(device: "a/b?c\r\nX-Evil: 1").request(spec)
        let request = try #require(message.http)
        #expect(request.url == "http://h/d/a%2Fb%3Fc%0D%0AX-Evil%3A%201")
        #expect(request.headers == ["Content-Type: text/plain; charset=utf-8", "X-Device: <a/b?c  X-Evil: 1>"])
        #expect(String(decoding: message.body, as: UTF8.self) == "a/b?c\r\nX-Evil: 1")
    }

    @Test("facts do not lead to another folder of a server", arguments: ["..", "."])
    func dotSegments(device: String) throws {
        let device = device, fact = Template.Segment.fact("device")
        for end in ["/open", "", "?a", "#a"] {
            let spec = HTTPSpec(url: Template(segments: [.text("http://h/api/"), fact, .text(end)]))
            #expect(
                throws: HandlerFailure.requestNotSent(
                    to: "http://h:80", reason: "facts would make a '.' or '..' of a part of its path")
            ) { try facts(device: device).request(spec) }
        }
        let spec = HTTPSpec(url: Template(segments: [.text("http://h/a/../b/x"), fact, .text("/?a=/"), fact]))
        let url = try facts(device: device).request(spec).http?.url
        #expect(url == "http://h/a/../b/x\(device)/?a=/\(device)")
    }

    @Test("a fact is one level of a topic, whatever marks combine with its characters")
    func topics() throws {
        let topic = Template(segments: [.text("k/"), .fact("device"), .text("/t")])
        let message = try facts(device: "a/\u{301}b+\u{301}#\nc").message(
            PublishSpec(topic: topic), host: "b", port: 1883, qos: 1, retain: true)
        #expect(message.mqtt?.topic == "k/a_\u{301}b_\u{301}_ c/t")
        #expect(message.mqtt?.broker == "mqtt://b:1883" && message.peer == "mqtt://b:1883")
    }

    @Test("a body of more than 64 KiB is not sent, nor a request to a URL without a host, which is not shown")
    func refusals() {
        let body = Template(verbatim: String(repeating: "x", count: NetworkOrder.bodyLimit + 1))
        #expect(
            throws: HandlerFailure.requestNotSent(
                to: "http://h:80", reason: "the body must be at most 65536 bytes long (got 65537)")
        ) { try facts().request(HTTPSpec(url: "http://h/", body: body)) }
        #expect(
            throws: HandlerFailure.requestNotSent(to: "a URL of handler 'tell'", reason: "it has no valid host")
        ) { try facts().request(HTTPSpec(url: "https://u:s3cret@[/s3cret")) }
    }
}
