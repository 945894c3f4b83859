import CLibFuzzer
import EvdevFuzz
import Glibc

/// `fuzz-evdev` under libFuzzer: TOUCHD_FUZZ names the target, the arguments are libFuzzer's. `make fuzz` runs it.
@main
enum FuzzEvdev {
    static let target = getenv("TOUCHD_FUZZ").flatMap { FuzzTarget(rawValue: String(cString: $0)) } ?? .decoder

    static func main() {
        let status = run_libfuzzer(CommandLine.argc, CommandLine.unsafeArgv) { bytes, count in
            let bytes = UnsafeRawBufferPointer(start: bytes, count: count)
            if let violation = FuzzEvdev.target.violation(bytes) { fatalError(violation) }
            return 0
        }
        if status < 0 { print("fuzz-evdev: built without libFuzzer; 'make fuzz' builds and runs it") }
        exit(status == 0 ? 0 : 1)
    }
}
