import NIOCore

/// Passes bytes to the parser until the request is refused, then drops a limited number of them.
final class RequestDrain: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// How many more bytes are dropped before the connection closes; nil while the parser reads them.
    private var left: Int?

    /// Drops the following bytes, and closes the connection after `limit` bytes.
    func begin(limit: Int) { left = left ?? limit }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let left else { return context.fireChannelRead(data) }
        let count = unwrapInboundIn(data).readableBytes
        self.left = left - count
        if count > left { context.close(promise: nil) }
    }
}
