/// Hashes small fixed values for sets and dictionaries in memory.
///
/// Swift's default withstands inputs that an attacker chooses, for which it spends some 150 instructions on each value.
/// What is hashed here are keys that the store gives, positions in the model and addresses. Types use it for
/// `Hashable`'s `_rawHashValue(seed:)`, which `Set` and `Dictionary` call in place of `hash(into:)`.
enum QuickHash {
    /// Mixes all bits of `value`, as the finalizer of MurmurHash3 does. `seed` keeps tables of different sizes from
    /// having the same order, in which one that is copied into another would fill it in clusters.
    @inline(__always) static func value(of value: UInt64, _ other: Int = 0, seed: Int) -> Int {
        var bits = value ^ UInt64(bitPattern: Int64(seed)) &+ UInt64(bitPattern: Int64(other)) &* 0x9E37_79B9_7F4A_7C15
        bits = (bits ^ bits >> 33) &* 0xFF51_AFD7_ED55_8CCD
        bits = (bits ^ bits >> 33) &* 0xC4CE_B9FE_1A85_EC53
        return Int(truncatingIfNeeded: bits ^ bits >> 33)
    }
}

/// The key of a row in a set or a dictionary.
struct RowKey: Hashable {
    let value: Int64

    init(_ value: Int64) { self.value = value }

    func _rawHashValue(seed: Int) -> Int { QuickHash.value(of: UInt64(bitPattern: value), seed: seed) }
}
