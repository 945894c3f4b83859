// The events and the touches of a recording, without views.
import Evdev
import EventLoop

// snippet.events
var reader = try RecordingReader(path: "config/recordings/quanta-optical.evemu")
print(reader.description.name)
while let event = try reader.next() { print(event.time.microseconds, event.type, event.code, event.value) }
// snippet.end

// snippet.player
let player = RecordingPlayer(
    try RecordingReader(path: "config/recordings/quanta-optical.evemu"),
    path: "recording", loop: .main, speed: .maximum,
    onFrame: { frame in for contact in frame.contacts { print(contact.id, contact.phase) } },
    onEnd: { _ in EpollRunLoop.main.stop() })
player.start()
EpollRunLoop.main.run()
// snippet.end
