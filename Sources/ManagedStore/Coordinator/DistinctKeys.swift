/// Sorts keys and drops repeated ones.
enum DistinctKeys {
    /// Returns the distinct keys in ascending order.
    ///
    /// Keys are dense in practice. If their range is small, a bit for each key of the range takes less time than a
    /// sort.
    static func sorted(_ keys: [Int64]) -> [Int64] {
        guard let (range, span) = span(of: keys), span / 64 <= keys.count else {
            return ObjectIDSet.sortedUnique(keys)
        }
        return keys.withUnsafeBufferPointer { sorted($0, from: range.lowerBound, words: Int(span / 64) + 1) }
    }

    private static func sorted(_ keys: UnsafeBufferPointer<Int64>, from first: Int64, words count: Int) -> [Int64] {
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: count) { words in
            words.initialize(repeating: 0)
            for key in keys {
                let bit = UInt64(bitPattern: key &- first)
                words[Int(bit >> 6)] |= 1 &<< bit
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

    /// Whether each key is greater than the one before.
    static func areInOrder(_ keys: [Int64]) -> Bool { zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 } }

    /// Returns the range of keys in any order, and the distance of its bounds; nil for none, or if the distance is not
    /// representable.
    static func span(of keys: [Int64]) -> (range: ClosedRange<Int64>, span: Int64)? {
        guard let range = range(of: keys) else { return nil }
        let (span, isBeyond) = range.upperBound.subtractingReportingOverflow(range.lowerBound)
        return isBeyond ? nil : (range, span)
    }

    /// Returns the range of keys in any order; nil for none.
    static func range(of keys: [Int64]) -> ClosedRange<Int64>? {
        if keys.isEmpty { return nil }
        // `min()` and `max()` of a sequence call a closure for each element.
        var (first, last) = (Int64.max, Int64.min)
        for key in keys {
            first = min(first, key)
            last = max(last, key)
        }
        return first...last
    }
}
