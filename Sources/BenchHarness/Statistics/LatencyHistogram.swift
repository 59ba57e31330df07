/// A histogram of durations with three significant digits in constant space, so that timing a million operations needs
/// no allocation and no sorting.
///
/// The layout is HdrHistogram's (Gil Tene, hdrhistogram.org): linear sub-buckets within buckets that double, so the
/// width of a sub-bucket is at most 1/1024 of the values in it.
public struct LatencyHistogram: Sendable, Equatable {
    /// The number of buckets, and the number of sub-buckets in each, as HdrHistogram counts them.
    static let bucketCount = Int.bitWidth - subBucketBits
    static let subBucketCount = 1 << subBucketBits

    private static let subBucketBits = 11
    private static let halfCount = 1 << (subBucketBits - 1)
    static let indexCount = (Int.bitWidth - subBucketBits + 1) * halfCount

    /// The number of recorded values.
    public private(set) var count = 0
    /// The smallest value, exactly; nil without values.
    public private(set) var min: Int?
    /// The largest value, exactly; nil without values.
    public private(set) var max: Int?
    private var counts = [UInt32](repeating: 0, count: indexCount)

    /// Creates an empty histogram.
    public init() {}

    /// Records one value. Negative values count as 0.
    public mutating func record(_ value: Int) {
        let value = Swift.max(value, 0)
        add(1, at: Self.index(of: value))
        min = Swift.min(min ?? value, value)
        max = Swift.max(max ?? value, value)
    }

    /// Creates a histogram with these numbers of values in its buckets, the first ones first. Its extremes are those of
    /// the first and of the last bucket.
    init(buckets: [(index: Int, count: Int)]) {
        for bucket in buckets { add(UInt32(clamping: bucket.count), at: bucket.index) }
        min = buckets.first.map { Self.lowestValue(at: $0.index) }
        max = buckets.last.map { Self.highestValue(at: $0.index) }
    }

    /// Sets the exact extremes of a histogram that was read from its buckets; those outside of the first and the last
    /// bucket are passed over.
    mutating func restore(min exactMin: Int?, max exactMax: Int?) {
        guard let first = min, let last = max else { return }
        if let exactMin, Self.index(of: Swift.max(exactMin, 0)) == Self.index(of: first) { min = exactMin }
        if let exactMax, Self.index(of: Swift.max(exactMax, 0)) == Self.index(of: last) { max = exactMax }
    }

    /// Returns the smallest value at or below which `percent` of all values lie (nearest rank), with three significant
    /// digits.
    ///
    /// - Complexity: O(1) in the number of values: it iterates over the buckets.
    public func percentile(_ percent: Double) -> Int? { percentile(percent, unbounded: 0) }

    /// Returns the same of the recorded values and `unbounded` more that are larger than any; nil if the percentile is
    /// one of these.
    func percentile(_ percent: Double, unbounded: Int) -> Int? {
        guard count > 0, let min, let max else { return nil }
        // One ulp less, as in HdrHistogram: 99.9 % of 1,000 are 999 values, which a Double's rounding would make 1,000.
        let rank = Swift.max(1, Int((percent.nextDown * Double(count + unbounded) / 100).rounded(.up)))
        if unbounded > 0, rank > count { return nil }
        var seen = 0
        for index in Self.index(of: min)...Self.index(of: max) {
            seen += Int(counts[index])
            if seen >= rank { return Swift.min(Swift.max(Self.highestValue(at: index), min), max) }
        }
        return max
    }

    /// Adds the counts of `other`.
    public mutating func merge(_ other: Self) {
        other.forEachBucket { index, count in add(UInt32(count), at: index) }
        if let value = other.min { min = Swift.min(min ?? value, value) }
        if let value = other.max { max = Swift.max(max ?? value, value) }
    }

    /// Calls `body` with each bucket that holds values, from the smallest values to the largest.
    func forEachBucket(_ body: (_ index: Int, _ count: Int) throws -> Void) rethrows {
        guard let min, let max else { return }
        for index in Self.index(of: min)...Self.index(of: max) where counts[index] > 0 {
            try body(index, Int(counts[index]))
        }
    }

    /// Adds to a bucket. A full bucket stays full: four thousand million are enough for any percentile.
    private mutating func add(_ added: UInt32, at index: Int) {
        let sum = counts[index].addingReportingOverflow(added)
        let full = sum.overflow ? UInt32.max : sum.partialValue
        count += Int(full - counts[index])
        counts[index] = full
    }

    static func index(of value: Int) -> Int {
        let bucket = Int.bitWidth - (value | (2 * halfCount - 1)).leadingZeroBitCount - subBucketBits
        return bucket << (subBucketBits - 1) + value >> bucket
    }

    static func lowestValue(at index: Int) -> Int {
        index == 0 ? 0 : highestValue(at: index - 1) + 1
    }

    static func highestValue(at index: Int) -> Int {
        guard index >= 2 * halfCount else { return index }
        let bucket = index >> (subBucketBits - 1) - 1
        let subBucket = index & (halfCount - 1) + halfCount
        return subBucket << bucket + (1 << bucket - 1)
    }

    /// Traps unless the counts add up and lie between the extremes; tests call it.
    func _checkInvariants() {
        precondition(counts.reduce(0) { $0 + Int($1) } == count, "the buckets do not add up to the count")
        precondition((count == 0) == (min == nil) && (count == 0) == (max == nil), "extremes without values")
        guard let min, let max else { return }
        precondition(min <= max, "the minimum exceeds the maximum")
        precondition(counts.firstIndex { $0 > 0 } == Self.index(of: min), "the minimum is in no bucket")
        precondition(counts.lastIndex { $0 > 0 } == Self.index(of: max), "the maximum is in no bucket")
    }
}

/// A sparse encoding: the extremes, and index and count of each bucket that holds values, one after the other.
extension LatencyHistogram: Codable {
    private enum CodingKeys: String, CodingKey {
        case min, max, buckets
    }

    /// Encodes the histogram.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(min, forKey: .min)
        try container.encodeIfPresent(max, forKey: .max)
        var buckets: [Int] = []
        forEachBucket { index, count in buckets += [index, count] }
        try container.encode(buckets, forKey: .buckets)
    }

    /// Decodes a histogram, and refuses an inconsistent one.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let buckets = try container.decode([Int].self, forKey: .buckets)
        var previous = -1
        for place in stride(from: 0, to: buckets.count - 1, by: 2) {
            let index = buckets[place]
            guard index > previous, index < Self.indexCount, let count = UInt32(exactly: buckets[place + 1]), count > 0
            else { break }
            add(count, at: index)
            previous = index
        }
        min = try container.decodeIfPresent(Int.self, forKey: .min)
        max = try container.decodeIfPresent(Int.self, forKey: .max)
        guard isConsistent(with: buckets) else {
            throw DecodingError.dataCorruptedError(
                forKey: .buckets, in: container, debugDescription: "buckets that no histogram has")
        }
    }

    /// Returns whether all of `buckets` are valid, and the extremes lie in the first and last of them.
    private func isConsistent(with buckets: [Int]) -> Bool {
        let used = counts.indices.filter { counts[$0] > 0 }
        guard buckets.count == 2 * used.count else { return false }
        guard let min, let max, min >= 0, max >= min else { return used.isEmpty && min == nil && max == nil }
        return used.first == Self.index(of: min) && used.last == Self.index(of: max)
    }
}
