import Foundation

extension ControlConnection {
    /// Requests a touchscreen's last minutes as evemu text and passes it on part by part.
    ///
    /// - Parameter source: The device's number in `devices`; nil if there is only one touchscreen.
    /// - Throws: A `ControlError` if touchd refuses the request, a `ControlConnectionError`, or an error of `write`.
    package func recording(of source: UInt32? = nil, write: (String) throws -> Void) throws {
        var part: Int? = 0
        while let number = part {
            let answer = try send(.recording(source: source, part: number))
            guard case .object(let object) = answer, case .string(let text)? = object["text"] else {
                throw ControlConnectionError.notAnAnswer(String(decoding: answer.jsonLine, as: UTF8.self))
            }
            try write(text)
            if case .number(let next)? = object["next"] { part = Int(exactly: next) } else { part = nil }
        }
    }
}
