extension RandomAccessCollection {
    /// Returns the index of the first element for which `isAfter` holds. It must hold for all elements after that one.
    /// O(log n).
    @inline(__always) func partitionPoint(where isAfter: (Element) -> Bool) -> Index {
        var (low, remaining) = (startIndex, count)
        while remaining > 0 {
            let half = remaining / 2
            let middle = index(low, offsetBy: half)
            if isAfter(self[middle]) {
                remaining = half
            } else {
                low = index(after: middle)
                remaining -= half + 1
            }
        }
        return low
    }
}
