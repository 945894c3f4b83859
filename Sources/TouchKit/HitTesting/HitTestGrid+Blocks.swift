extension HitTestGrid {
    /// How large the block for a number of items is: four sizes between one power of two and the next.
    struct BlockSize: Equatable {
        let number: Int
        let capacity: UInt32

        init(for count: UInt32) {
            guard count > 4 else {
                number = count == 0 ? 0 : 1
                capacity = count == 0 ? 0 : 4
                return
            }
            let bits = 31 - (count - 1).leadingZeroBitCount
            let quarter = (count - 1) >> UInt32(bits - 2) & 3
            number = 2 + (bits - 2) * 4 + Int(quarter)
            capacity = (quarter + 5) << UInt32(bits - 2)
        }
    }
}
