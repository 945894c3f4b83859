extension CalibrationMatrix {
    /// The matrix that maps touched points to target points with the least squared error.
    ///
    /// - Parameter pairs: At least three points that are not on one line: the uncalibrated location of each touch and
    ///   its target, both in the unit square.
    /// - Returns: Nil if there are too few points or they are almost on one line.
    public init?(fitting pairs: [(touched: SurfacePoint, wanted: SurfacePoint)]) {
        guard pairs.count >= 3 else { return nil }
        // The normal equations of x' = a·x + b·y + c have one symmetric matrix for both rows.
        var (xx, xy, yy, x, y) = (0.0, 0.0, 0.0, 0.0, 0.0)
        var first = (x: 0.0, y: 0.0, one: 0.0), second = (x: 0.0, y: 0.0, one: 0.0)
        for (touched, wanted) in pairs {
            xx += touched.x * touched.x
            xy += touched.x * touched.y
            yy += touched.y * touched.y
            x += touched.x
            y += touched.y
            first = (first.x + touched.x * wanted.x, first.y + touched.y * wanted.x, first.one + wanted.x)
            second = (second.x + touched.x * wanted.y, second.y + touched.y * wanted.y, second.one + wanted.y)
        }
        let n = Double(pairs.count)
        let determinant = xx * (yy * n - y * y) - xy * (xy * n - y * x) + x * (xy * y - yy * x)
        guard abs(determinant) > 1e-9 else { return nil }
        // Cramer's rule, with the columns of the inverse written out.
        func row(_ r: (x: Double, y: Double, one: Double)) -> (Double, Double, Double) {
            let a = r.x * (yy * n - y * y) - xy * (r.y * n - y * r.one) + x * (r.y * y - yy * r.one)
            let b = xx * (r.y * n - y * r.one) - r.x * (xy * n - y * x) + x * (xy * r.one - r.y * x)
            let c = xx * (yy * r.one - r.y * y) - xy * (xy * r.one - r.y * x) + r.x * (xy * y - yy * x)
            return (a / determinant, b / determinant, c / determinant)
        }
        let (a, b, c) = row(first), (d, e, f) = row(second)
        self.init(a, b, c, d, e, f)
    }

    /// The greatest distance between a calibrated touch and its target, as a fraction of the screen.
    public func greatestError(of pairs: [(touched: SurfacePoint, wanted: SurfacePoint)]) -> Double {
        pairs.map { touched, wanted in
            let point = apply(to: touched)
            return max(abs(point.x - wanted.x), abs(point.y - wanted.y))
        }.max() ?? 0
    }
}
