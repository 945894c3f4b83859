import Testing

@testable import WebServer

@Suite("The inspector's listen address") struct ListenAddressTests {
    @Test("a port alone is on this machine, and a path is a local socket")
    func forms() {
        #expect(ListenAddress("9000") == .internet(host: "127.0.0.1", port: 9000))
        #expect(ListenAddress("0.0.0.0:80") == .internet(host: "0.0.0.0", port: 80))
        #expect(ListenAddress("[::1]:80") == .internet(host: "::1", port: 80))
        #expect(ListenAddress("unix:/run/inspect") == .unix(path: "/run/inspect"))
    }

    @Test(
        "a host name is rejected, because its address may change",
        arguments: [
            "localhost:80", "kiosk", "::1:80", "", ":80", "1.2.3.4", "[1.2.3.4]:5", "unix:relative", "127.0.0.1:70000",
        ])
    func none(text: String) { #expect(ListenAddress(text) == nil) }

    @Test("only loopback addresses count as this machine's")
    func loopback() {
        #expect(
            ["8347", "127.0.0.1:1", "127.9.9.9:1", "[::1]:1", "unix:/x"].allSatisfy {
                ListenAddress($0)?.isLoopback == true
            })
        #expect(
            ["0.0.0.0:1", "[::]:1", "192.168.1.1:1", "[fe80::1]:1"].allSatisfy {
                ListenAddress($0)?.isLoopback == false
            })
    }
}
