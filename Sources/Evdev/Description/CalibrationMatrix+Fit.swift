extension CalibrationMatrix {
    /// The matrix that brings touched points closest to where they should have been, by least squares.
    ///
    /// - Parameter pairs: at least three places that do not lie on one line: where the uncalibrated surface said the touch
    ///   was, and where it should have been, both in the unit square.
    /// - Returns: nil where the touched points are too few, or too close to one line, to tell.
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

    /// How far from where it should have been the worst of some touches is brought, as a part of the screen.
    public func greatestError(of pairs: [(touched: SurfacePoint, wanted: SurfacePoint)]) -> Double {
        pairs.map { touched, wanted in
            let point = apply(to: touched)
            return max(abs(point.x - wanted.x), abs(point.y - wanted.y))
        }.max() ?? 0
    }
}
