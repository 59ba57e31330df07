import Synchronization

/// Chooses the records whose reads and changes the workers of a load keep: all of them, until they are too many.
///
/// A record is judged by every change of every worker, so all workers must choose the same records. Each time that a
/// worker has too much to keep, half of the records fall out.
final class TraceSampling: Sendable {
    /// Seeds checksums and the choice of records.
    let salt: UInt64
    /// The number of reads and changes that a worker keeps at most.
    let limit: Int
    private let shared = Atomic<UInt64>(0)

    init(salt: UInt64 = .random(in: .min ... .max), limit: Int = 1 << 16, mask: UInt64 = 0) {
        self.salt = salt
        self.limit = limit
        shared.store(mask, ordering: .relaxed)
    }

    /// The bits that are zero in the hash of a record that is kept.
    var mask: UInt64 { shared.load(ordering: .relaxed) }

    /// Lets half of the records fall out, unless another worker has done so since `mask` was read.
    func narrow(_ mask: UInt64) {
        _ = shared.compareExchange(expected: mask, desired: mask << 1 | 1, ordering: .relaxed)
    }

    /// Whether the record with an ordinal is kept.
    func keeps(_ ordinal: Int, _ mask: UInt64) -> Bool {
        if mask == 0 { return true }
        var hash = SplitMix64(state: salt ^ UInt64(ordinal))
        return hash.next() & mask == 0
    }
}
