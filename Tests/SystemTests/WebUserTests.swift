import LabSupport
import Testing

/// Two users of the machine and touchd-web.service with `users:` for one of them, tried by `Tests/Lab/web-users.sh`.
@Suite("Users of a page's server, in a container", .needsContainer)
struct WebUserTests {
    private let run: LabRun

    init() async throws { run = try await LabRun.webUsers.value }

    @Test("the user in users: gets pages and events, and another one neither, although the service has no network")
    func users() throws {
        #expect(
            try run.lines("sandbox").sorted() == [
                "PrivateNetwork=yes", "PrivateUsers=yes", "RestrictAddressFamilies=AF_UNIX",
            ])
        #expect(try run.lines("kiosk-/") == ["HTTP/1.1 200 OK"])
        #expect(try run.lines("kiosk-/events") == ["HTTP/1.1 101 Switching Protocols"])
        #expect(try run.lines("visitor-/") == ["HTTP/1.1 403 Forbidden"])
        #expect(try run.lines("visitor-/events") == ["HTTP/1.1 403 Forbidden"])
        #expect(
            try run.lines("journal")
                == ["/", "/events"].map {
                    "refused a page of the origin 'http://127.0.0.1:8348' at \($0): user VISITOR of this machine is not in "
                        + "'users'"
                })
    }

    @Test("without the kernel's socket the service does not start, and says what the unit needs")
    func forgotten() throws {
        let line = try #require(try run.lines("forgotten").first)
        #expect(line.contains("'users' needs a socket") && line.contains("'ListenNetlink=inet-diag 0'"))
    }
}
