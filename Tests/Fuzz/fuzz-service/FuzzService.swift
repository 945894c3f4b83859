import CLibFuzzer
import Glibc
import ServiceFuzz

/// `fuzz-service` under libFuzzer: TOUCHD_FUZZ names the target, the arguments are libFuzzer's. `make fuzz` runs it.
@main
enum FuzzService {
    static let target =
        getenv("TOUCHD_FUZZ").flatMap { ServiceFuzzTarget(rawValue: String(cString: $0)) } ?? .layout

    static func main() {
        let status = run_libfuzzer(CommandLine.argc, CommandLine.unsafeArgv) { bytes, count in
            let bytes = Array(UnsafeRawBufferPointer(start: bytes, count: count))
            // libFuzzer calls back on the thread that called it, the main thread.
            let violation = MainActor.assumeIsolated { bytes.withUnsafeBytes { FuzzService.target.violation($0) } }
            if let violation { fatalError(violation) }
            return 0
        }
        if status < 0 { print("fuzz-service: built without libFuzzer; 'make fuzz' builds and runs it") }
        exit(status == 0 ? 0 : 1)
    }
}
