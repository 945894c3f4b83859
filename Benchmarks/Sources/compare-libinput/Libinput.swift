import CLibinputTouch

/// libinput, by its own context on the one device.
final class Libinput: Contender {
    private(set) var log = TouchLog()
    var isLogging = true
    private(set) var sum = 0.0
    private let handle: OpaquePointer

    /// Whether libinput has touches of the device, rather than a pointer's motion, say.
    let takesTouch: Bool

    /// Nil if libinput does not take the device.
    init?(_ path: String) {
        guard let handle = libinput_touch_open(path) else { return nil }
        self.handle = handle
        takesTouch = libinput_touch_takes_touch(handle)
    }

    deinit { libinput_touch_close(handle) }

    /// Is readable when there is something to dispatch.
    var descriptor: Int32 { libinput_touch_descriptor(handle) }

    /// Tells it that the device is gone, once.
    func unplug() {
        libinput_touch_unplug(handle)
        dispatch(isCounted: false)
    }

    func dispatch(isCounted: Bool) {
        let take = isCounted ? libinput_touch_dispatch : libinput_touch_warm_up
        _ = take(
            handle,
            { data, phase, slot, x, y in
                // The pointer is the one given below, which lives through the call.
                guard let data else { return }
                let reader = Unmanaged<Libinput>.fromOpaque(data).takeUnretainedValue()
                guard reader.isLogging else {
                    reader.sum += x + y
                    return
                }
                switch phase {
                case TOUCH_DOWN: reader.log.began(slot, at: TouchLog.Point(x: x, y: y))
                case TOUCH_MOTION: reader.log.moved(slot, to: TouchLog.Point(x: x, y: y))
                case TOUCH_UP: reader.log.ended(slot, .lifted)
                default: reader.log.ended(slot, .cancelled)
                }
            }, Unmanaged.passUnretained(self).toOpaque())
    }
}
