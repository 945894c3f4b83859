// The touches of this machine's screens, without views.
import Evdev
import EventLoop

// snippet.monitor
let monitor = DeviceMonitor(
    loop: .main,
    onFrame: { frame in
        for contact in frame.contacts { print(contact.id, contact.phase, contact.position.x, contact.position.y) }
    },
    onChange: { change in print(change) })
try monitor.start()
EpollRunLoop.main.run()
// snippet.end
