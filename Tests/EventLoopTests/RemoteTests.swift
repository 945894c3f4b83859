import Dispatch
import EventLoop
import Testing

@Suite("Other threads and the loop")
struct RemoteTests {
    @Test("blocks of other threads run on the loop's thread, in the order given")
    func perform() throws {
        let loop = try EpollRunLoop()
        let keepAlive = try EventDescriptor()
        loop.add(DescriptorSource(name: "keeps the mode from finishing", descriptor: keepAlive.number) { _ in })
        let received = LockedLog()
        let remote = loop.remote
        DispatchQueue.global().async {
            for number in 0..<1_000 { remote.perform { received.append(number) } }
            remote.stop()
        }
        #expect(loop.run() == .stopped)
        #expect(received.numbers == Array(0..<1_000))
    }

    @Test("a stop given before the run is not lost")
    func stopBeforeRun() throws {
        let loop = try EpollRunLoop()
        let keepAlive = try EventDescriptor()
        loop.add(DescriptorSource(name: "keeps the mode from finishing", descriptor: keepAlive.number) { _ in })
        loop.remote.stop()
        #expect(loop.run() == .stopped)
    }
}
