/// Chooses the record for the next operation.
///
/// Ordinals in `0..<count` identify the records; the count grows as inserts are acknowledged.
struct KeyChooser: Sendable {
    private enum Method: Sendable {
        case uniform
        case zipfian(ScrambledZipfian)
        case latest(Zipfian)
        case hotSet(records: Int, share: Double)
    }

    private var method: Method

    /// Prepares to choose among `records` records, which grow to `expected`. As in YCSB, the popular ones are scattered
    /// over future records as well, so that they stay the same while the load inserts.
    init(_ keys: KeySpec, records: Int, expected: Int) {
        method =
            switch keys {
            case .uniform: .uniform
            case .zipfian: .zipfian(ScrambledZipfian(items: max(expected, records, 1)))
            case .latest: .latest(Zipfian(items: max(records, 1)))
            case .hotSet(let hot, let share): .hotSet(records: hot, share: share)
            }
    }

    /// Returns the ordinal of one of `count` records.
    mutating func next(among count: Int, using random: inout SplitMix64) -> Int {
        switch method {
        case .uniform: return random.below(count)
        case .zipfian(let zipfian):
            var ordinal: Int
            repeat { ordinal = zipfian.next(using: &random) } while ordinal >= count
            return ordinal
        case .latest(var zipfian):
            zipfian.grow(to: count)
            method = .latest(zipfian)
            // The initial records may be more than those that another worker has acknowledged since.
            return count - 1 - min(zipfian.next(using: &random), count - 1)
        case .hotSet(let hot, let share):
            let hot = min(hot, count)
            if hot == count || random.unit() < share { return random.below(hot) }
            return hot + random.below(count - hot)
        }
    }
}
