extension Range<Int> {
    /// Returns consecutive parts of a size, of which the last may be smaller; one part for a size of 0.
    func parts(of size: Int) -> [Range<Int>] {
        let size = size > 0 ? size : Swift.max(count, 1)
        return stride(from: lowerBound, to: upperBound, by: size).map {
            $0..<Swift.min($0 + size, upperBound)
        }
    }
}
