/// What a device is, as the lines `N:`, `I:`, `P:`, `B:` and `A:` of an evemu description tell it (evemu-describe(1)).
struct DeviceDescription {
    /// The range of an absolute axis, in the device's own units.
    struct Axis {
        var code: UInt32
        var minimum: Int32
        var maximum: Int32
        var fuzz: Int32
        var flat: Int32
        var resolution: Int32
    }

    var name = ""
    var bus: Int32 = 0
    var vendor: Int32 = 0
    var product: Int32 = 0
    var version: Int32 = 0
    /// Input properties (`INPUT_PROP_…`) that are set.
    var properties: [UInt32] = []
    /// Codes that the device can send, by event type, without those of `EV_SYN` and `EV_ABS`.
    var codes: [(type: UInt32, code: UInt32)] = []
    var axes: [Axis] = []

    /// Reads a description; lines that are comments, events or of a kind it does not use are passed over.
    init(text: String) throws(PlayError) {
        // A `B:` or `P:` line holds eight bytes of a mask; the lines of one type follow one another.
        var maskBytes: [UInt32: UInt32] = [:]
        let synchronization: UInt32 = 0
        let absolute: UInt32 = 3
        let propertyMask = UInt32.max

        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let fields = line.split { $0 == " " || $0 == "\t" || $0 == "\r" }
            guard let tag = fields.first else { continue }
            func number(_ position: Int, radix: Int) throws(PlayError) -> Int32 {
                guard position < fields.count, let value = Int32(fields[position], radix: radix) else {
                    throw .description(line: index + 1, text: String(line))
                }
                return value
            }
            func bits(of type: UInt32, from first: Int) throws(PlayError) -> [UInt32] {
                var set: [UInt32] = []
                for position in first..<max(first, fields.count) {
                    let byte = try number(position, radix: 16)
                    let base = maskBytes[type, default: 0] * 8
                    maskBytes[type, default: 0] += 1
                    set += (0..<8).filter { byte & (1 << Int32($0)) != 0 }.map { base + UInt32($0) }
                }
                return set
            }
            switch tag {
            case "N:":
                name = fields.dropFirst().joined(separator: " ")
            case "I:":
                bus = try number(1, radix: 16)
                vendor = try number(2, radix: 16)
                product = try number(3, radix: 16)
                version = try number(4, radix: 16)
            case "P:":
                properties += try bits(of: propertyMask, from: 1)
            case "B:":
                let type = UInt32(try number(1, radix: 16))
                let set = try bits(of: type, from: 2)
                if type != synchronization, type != absolute { codes += set.map { (type, $0) } }
            case "A:":
                axes.append(
                    Axis(
                        code: UInt32(try number(1, radix: 16)), minimum: try number(2, radix: 10),
                        maximum: try number(3, radix: 10), fuzz: try number(4, radix: 10),
                        flat: try number(5, radix: 10),
                        // Descriptions older than evemu 1.2 end here.
                        resolution: fields.count > 6 ? try number(6, radix: 10) : 0))
            default:
                continue
            }
        }
        guard !name.isEmpty else { throw .unnamedDescription }
    }
}
