import NIOCore
import NIOWebSocket

/// The open stream of a page: texts in both directions through a WebSocket.
///
/// Use it only on its event loop, unless a member says otherwise. While a page does not read, `isWritable` is false, and
/// further texts take memory.
///
// `@unchecked Sendable` is safe: calls are made on the event loop of its channel, and what other threads may call only
// uses the channel, which is safe in every thread.
package final class PageStream: @unchecked Sendable {
    /// The page's origin: a scheme, a host and a port.
    package let origin: String
    /// Called with each text of the page.
    package var onMessage: ((ByteBuffer) -> Void)?
    /// Called when the page reads again.
    package var onWritable: (() -> Void)?
    /// Called once, when the page has closed its stream or is gone.
    package var onClose: (() -> Void)?

    private let channel: any Channel

    init(_ channel: any Channel, origin: String) {
        self.channel = channel
        self.origin = origin
        channel.closeFuture.assumeIsolated().whenComplete { _ in self.closed() }
    }

    /// The event loop for calls.
    package var eventLoop: any EventLoop { channel.eventLoop }

    /// Whether the page is still there; may be called on any thread.
    package var isOpen: Bool { channel.isActive }

    /// Whether the page has read most of what was sent.
    package var isWritable: Bool { channel.isWritable }

    /// Sends a text; `flush()` makes it leave.
    package func send(_ text: ByteBuffer) {
        channel.write(WebSocketFrame(fin: true, opcode: .text, data: text), promise: nil)
    }

    package func flush() { channel.flush() }

    /// Reads the page's texts, or leaves them in the kernel's buffer, so that the page's writes wait.
    package func setReading(_ isReading: Bool) {
        channel.setOption(.autoRead, value: isReading).assumeIsolated().whenSuccess {
            if isReading { self.channel.read() }
        }
    }

    /// Closes the stream, with a status for the page (RFC 6455, section 7.4): 1012 means that it may connect again.
    package func close(status: UInt16) {
        var data = channel.allocator.buffer(capacity: 2)
        data.writeInteger(status)
        channel.writeAndFlush(WebSocketFrame(fin: true, opcode: .connectionClose, data: data), promise: nil)
        channel.close(promise: nil)
    }

    func received(_ text: ByteBuffer) { onMessage?(text) }

    func writabilityChanged() { if isWritable { onWritable?() } }

    private func closed() {
        let report = onClose
        // These closures keep other objects alive, which keep this one.
        (onMessage, onWritable, onClose) = (nil, nil, nil)
        report?()
    }
}

/// Closes a WebSocket whose client does not mask its frames (RFC 6455, 5.1), or uses bits of extensions (5.2): it is no
/// browser's.
final class ValidFrames: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame

    private let stream: PageStream

    init(_ stream: PageStream) { self.stream = stream }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        if frame.maskKey != nil, !frame.rsv1, !frame.rsv2, !frame.rsv3 { return context.fireChannelRead(data) }
        stream.close(status: 1002)
    }
}

/// The frames of a page's WebSocket.
final class WebSocketConnection: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let stream: PageStream
    /// The newest ping without a pong.
    private var ping: ByteBuffer?
    private var isAnsweringPing = false

    init(_ stream: PageStream) { self.stream = stream }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.opcode {
        case .text:
            let text = frame.unmaskedData
            guard String(validating: text.readableBytesView, as: UTF8.self) != nil else {
                return stream.close(status: 1007)
            }
            stream.received(text)
        case .ping:
            ping = frame.unmaskedData
            answerPing(context)
        case .pong: break
        case .connectionClose: stream.close(status: 1000)
        // Unsupported data: requests are text.
        default: stream.close(status: 1003)
        }
    }

    /// Answers only the newest ping while the client does not read (RFC 6455, 5.5.3), so that pongs do not pile up.
    private func answerPing(_ context: ChannelHandlerContext) {
        guard !isAnsweringPing, let ping else { return }
        (isAnsweringPing, self.ping) = (true, nil)
        let pong = WebSocketFrame(fin: true, opcode: .pong, data: ping)
        context.writeAndFlush(wrapOutboundOut(pong)).assumeIsolated().whenSuccess {
            self.isAnsweringPing = false
            self.answerPing(context)
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        stream.writabilityChanged()
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed { context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Message too big, or a protocol error.
        let isTooLong =
            switch error {
            case NIOWebSocketError.invalidFrameLength: true
            case NIOWebSocketFrameAggregator.Error.accumulatedFrameSizeIsTooLarge: true
            default: false
            }
        stream.close(status: isTooLong ? 1009 : 1002)
    }
}
