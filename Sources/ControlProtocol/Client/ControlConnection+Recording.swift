extension ControlConnection {
    /// Requests a touchscreen's last minutes as evemu text and passes it on part by part.
    ///
    /// - Parameter source: The device's number in `devices`; nil if there is only one touchscreen.
    /// - Throws: A `ControlError` if touchd refuses the request, a `ControlConnectionError`, or an error of `write`.
    package func recording(of source: UInt32? = nil, write: (String) throws -> Void) throws {
        var part: Int? = 0
        while let number = part {
            let answer = try send(.recording(source: source, part: number))
            guard let text = answer["text"]?.string else {
                throw ControlConnectionError.notAnAnswer(String(decoding: answer.json, as: UTF8.self))
            }
            try write(text)
            part = answer["next"]?.number.flatMap { Int(exactly: $0) }
        }
    }
}
