import CUmockdev

/// umockdev's signals for a node (`UMockdevIoctlBase`), answered by a `MockEvdev`. A program that has the node open is a client,
/// known by its address.
enum Signals {
    private typealias Base = UnsafeMutablePointer<UMockdevIoctlBase>
    private typealias Client = UnsafeMutablePointer<UMockdevIoctlClient>
    private typealias Memory = UnsafeMutablePointer<UMockdevIoctlData>

    /// Connects the signals of a handler.
    ///
    /// - Parameter node: An unmanaged `MockEvdev` that lives as long as the handler.
    static func connect(_ handler: UnsafeMutablePointer<UMockdevIoctlBase>, _ node: gpointer) {
        let opened: @convention(c) (Base, Client, gpointer) -> Void = { Signals.opened($1, $2) }
        let asked: @convention(c) (Base, Client, gpointer) -> gboolean = { Signals.asked($1, $2) }
        let read: @convention(c) (Base, Client, gpointer) -> gboolean = { Signals.read($1, $2) }
        connect(handler, "client-connected", unsafeBitCast(opened, to: GCallback.self), node)
        connect(handler, "handle-ioctl", unsafeBitCast(asked, to: GCallback.self), node)
        connect(handler, "handle-read", unsafeBitCast(read, to: GCallback.self), node)
    }

    private static func connect(
        _ object: UnsafeMutableRawPointer, _ signal: String, _ callback: @escaping GCallback, _ node: gpointer
    ) {
        g_signal_connect_data(object, signal, callback, node, nil, GConnectFlags(rawValue: 0))
    }

    private static func opened(_ client: Client, _ node: gpointer) {
        let changed: @convention(c) (Client, gpointer, gpointer) -> Void = { Signals.closed($0, $2) }
        connect(client, "notify::connected", unsafeBitCast(changed, to: GCallback.self), node)
        // A program that is killed during a call is never reported as disconnected.
        client.withMemoryRebound(to: GObject.self, capacity: 1) {
            g_object_weak_ref($0, { if let node = $0 { Signals.evdev(node).close(by: UInt(bitPattern: $1)) } }, node)
        }
        evdev(node).open(by: UInt(bitPattern: client))
    }

    private static func closed(_ client: Client, _ node: gpointer) {
        if umockdev_ioctl_client_get_connected(client) == 0 { evdev(node).close(by: UInt(bitPattern: client)) }
    }

    private static func read(_ client: Client, _ node: gpointer) -> gboolean {
        guard let buffer = umockdev_ioctl_client_get_arg(client) else { return 0 }
        let answer = evdev(node).read(by: UInt(bitPattern: client), size: Int(buffer.pointee.data_len))
        complete(client, answer, returnsSize: true, in: buffer)
        return 1
    }

    private static func asked(_ client: Client, _ node: gpointer) -> gboolean {
        guard var request = MockEvdev.Request(UInt(umockdev_ioctl_client_get_request(client))),
            let argument = umockdev_ioctl_client_get_arg(client)
        else { return 0 }
        let value = UnsafeRawPointer(argument.pointee.data).loadUnaligned(as: UInt.self)
        var memory: Memory?
        if request.hasMemory, request.size > 0 {
            memory = umockdev_ioctl_data_resolve(argument, 0, gsize(request.size), nil)
        }
        if let memory, request.size >= 4 {
            request.firstWord = UnsafeRawPointer(memory.pointee.data).loadUnaligned(as: UInt32.self)
        }
        let answer = evdev(node).answer(request, value, by: UInt(bitPattern: client))
        complete(client, answer, returnsSize: request.returnsSize, in: memory)
        if let memory { umockdev_ioctl_data_unref(memory) }
        return 1
    }

    private static func evdev(_ node: gpointer) -> MockEvdev {
        Unmanaged<MockEvdev>.fromOpaque(node).takeUnretainedValue()
    }

    /// Ends a program's call: with as many bytes as fit, or with an error number.
    private static func complete(
        _ client: Client, _ answer: Result<[UInt8], Errno>, returnsSize: Bool, in memory: Memory?
    ) {
        switch answer {
        case .success(var bytes):
            let count = min(bytes.count, memory.map { Int($0.pointee.data_len) } ?? 0)
            if let memory, count > 0 { umockdev_ioctl_data_update(memory, 0, &bytes, gint(count)) }
            umockdev_ioctl_client_complete(client, returnsSize ? count : 0, 0)
        case .failure(let error): umockdev_ioctl_client_complete(client, -1, error.rawValue)
        }
    }
}
