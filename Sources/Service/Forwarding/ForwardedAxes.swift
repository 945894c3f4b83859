/// The axes of a forwarded contact, in the units of the virtual touchscreen.
nonisolated struct ForwardedAxes: Equatable {
    var x, y: Int32
    /// The pressure and the larger diameter; 0 if the panel does not report them.
    var pressure: Int32 = 0, major: Int32 = 0
}
