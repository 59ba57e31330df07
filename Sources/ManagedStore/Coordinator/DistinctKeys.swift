/// Sorts keys and drops repeated ones.
enum DistinctKeys {
    /// Returns the distinct keys in ascending order.
    ///
    /// Keys are dense in practice. If their range is small, a bit for each key of the range takes less time than a
    /// sort.
    static func sorted(_ keys: [Int64]) -> [Int64] {
        guard let first = keys.min(), let last = keys.max() else { return [] }
        let (span, isBeyond) = last.subtractingReportingOverflow(first)
        guard !isBeyond, span / 64 <= keys.count else { return ObjectIDSet.sortedUnique(keys) }
        var words = [UInt64](repeating: 0, count: Int(span / 64) + 1)
        for key in keys {
            let bit = Int(key - first)
            words[bit >> 6] |= 1 << UInt64(bit & 63)
        }
        var distinct: [Int64] = []
        for (index, word) in words.enumerated() {
            var rest = word
            while rest != 0 {
                distinct.append(first + Int64(index << 6 | rest.trailingZeroBitCount))
                rest &= rest - 1
            }
        }
        return distinct
    }
}
