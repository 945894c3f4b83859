import Foundation

nonisolated extension ControlConnection {
    /// Asks for a touchscreen's last minutes as evemu text, and passes it on piece by piece.
    ///
    /// - Parameter source: The device's number, as `devices` has it; nil where there is one touchscreen only.
    /// - Throws: A `ControlError` where touchd refuses, a `Failure`, or what `write` throws.
    public func recording(of source: UInt32? = nil, write: (String) throws -> Void) throws {
        var part: Int? = 0
        while let number = part {
            let answer = try send(.recording(source: source, part: number))
            guard case .object(let object) = answer, case .string(let text)? = object["text"] else {
                throw Failure.notAnAnswer(String(decoding: answer.jsonLine, as: UTF8.self))
            }
            try write(text)
            if case .number(let next)? = object["next"] { part = Int(next) } else { part = nil }
        }
    }
}
