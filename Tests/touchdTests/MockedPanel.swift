/// A touchscreen of ten fingers, 4096 by 4096 units, as umockdev-run plays it: sysfs and udev, and what libevdev asks.
enum MockedPanel {
    static let device = """
        P: /devices/virtual/input/input3/event3
        N: input/event3
        E: DEVNAME=/dev/input/event3
        E: ID_INPUT=1
        E: ID_INPUT_TOUCHSCREEN=1
        E: MAJOR=13
        E: MINOR=67
        E: SUBSYSTEM=input
        A: dev=13:67
        L: device=../../input3

        P: /devices/virtual/input/input3
        E: NAME="Kiosk Panel"
        E: ID_INPUT=1
        E: ID_INPUT_TOUCHSCREEN=1
        E: SUBSYSTEM=input
        A: name=Kiosk Panel

        """

    /// Each answer is of the size that libevdev asks for; those that say nothing are many zeros.
    static let answers = """
        @DEV /dev/input/event3
        EVIOCGVERSION 0 01000100
        EVIOCGID 0 03002A2201001001
        EVIOCGNAME(0) 12 4B696F736B2050616E656C\(zeros(244))
        EVIOCGPHYS(0) 1 \(zeros(255))
        EVIOCGUNIQ(0) 1 \(zeros(255))
        EVIOCGPROP(0) 8 0200000000000000
        EVIOCGBIT(0) 8 0B00000000000000
        EVIOCGBIT(1) 96 000000000000000000000000000000000000000000000000000000000000000000000000000000000004\(zeros(54))
        EVIOCGBIT(2) 8 0000000000000000
        EVIOCGBIT(3) 8 0300000000806002
        EVIOCGBIT(4) 8 0000000000000000
        EVIOCGBIT(5) 8 0000000000000000
        EVIOCGBIT(17) 8 0000000000000000
        EVIOCGBIT(18) 8 0000000000000000
        EVIOCGBIT(21) 16 00000000000000000000000000000000
        EVIOCGKEY(0) 96 \(zeros(96))
        EVIOCGLED(0) 8 0000000000000000
        EVIOCGSW(0) 8 0000000000000000
        EVIOCGABS(0) 0 0000000000000000FF0F0000000000000000000000000000
        EVIOCGABS(1) 0 0000000000000000FF0F0000000000000000000000000000
        EVIOCGABS(47) 0 000000000000000009000000000000000000000000000000
        EVIOCGABS(53) 0 0000000000000000FF0F0000000000000000000000000000
        EVIOCGABS(54) 0 0000000000000000FF0F0000000000000000000000000000
        EVIOCGABS(57) 0 0000000000000000FFFF0000000000000000000000000000
        EVIOCGMTSLOTS(0) 0 35\(zeros(43))
        EVIOCGMTSLOTS(0) 0 36\(zeros(43))
        EVIOCGMTSLOTS(0) 0 39000000FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF\
        FFFFFFF

        """

    private static func zeros(_ count: Int) -> String { String(repeating: "00", count: count) }
}
