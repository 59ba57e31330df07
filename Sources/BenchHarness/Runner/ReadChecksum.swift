/// A fast checksum of values, in their order, that depends on a salt.
///
/// The harness computes it within the clock, where it must cost a few nanoseconds a value: a multiplication and a shift
/// for every eight bytes. Both are invertible, so that one changed value always changes the sum. The salt, drawn after
/// the preparation of a phase, sets the start and the multiplier: nothing that is known beforehand gives the sum.
@usableFromInline
struct ReadChecksum: Sendable, Equatable {
    /// The sum of the values so far.
    @usableFromInline var sum: UInt64
    /// An odd number.
    @usableFromInline let multiplier: UInt64

    /// Texts and blobs from this length on are read in four lanes.
    @usableFromInline static let long = 64

    init(salt: UInt64) {
        var random = SplitMix64(state: salt)
        sum = random.next()
        multiplier = random.next() | 1
    }

    @inlinable @inline(__always)
    mutating func fold(_ value: UInt64) {
        sum = mixed(sum, value)
    }

    /// Folds the number of bytes and each byte, eight at a time.
    @inlinable @inline(__always)
    mutating func fold(_ bytes: UnsafeRawBufferPointer) {
        let count = bytes.count
        sum &+= UInt64(truncatingIfNeeded: count) &+ 1
        guard count > 0, let start = bytes.baseAddress else { return }
        if count >= Self.long { return foldLong(start, count) }
        var offset = 0
        while offset &+ 8 <= count {
            fold(start.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset &+= 8
        }
        if offset < count { fold(Self.tail(start, count)) }
    }

    /// Returns the last bytes, at most eight; they overlap the word before if there is one.
    @inlinable @inline(__always)
    static func tail(_ start: UnsafeRawPointer, _ count: Int) -> UInt64 {
        if count >= 8 { return start.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self) }
        if count >= 4 {
            let low = UInt64(start.loadUnaligned(as: UInt32.self))
            return low | UInt64(start.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)) &<< 32
        }
        let first = UInt64(start.load(as: UInt8.self))
        let middle = UInt64(start.load(fromByteOffset: count / 2, as: UInt8.self))
        return first | middle &<< 8 | UInt64(start.load(fromByteOffset: count &- 1, as: UInt8.self)) &<< 16
    }

    /// Folds at least 32 bytes in four independent lanes, since one waits for each multiplication.
    @usableFromInline
    mutating func foldLong(_ start: UnsafeRawPointer, _ count: Int) {
        var (first, second, third, fourth) = (sum, ~sum, sum &+ multiplier, sum ^ multiplier)
        func word(_ offset: Int) -> UInt64 { start.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
        for offset in stride(from: 0, to: count &- 31, by: 32) {
            first = mixed(first, word(offset))
            second = mixed(second, word(offset &+ 8))
            third = mixed(third, word(offset &+ 16))
            fourth = mixed(fourth, word(offset &+ 24))
        }
        fold(first)
        fold(second)
        fold(third)
        fold(fourth)
        // The last words again: they hold what a multiple of 32 bytes leaves.
        for offset in stride(from: count &- 32, to: count, by: 8) { fold(word(offset)) }
    }

    @inlinable @inline(__always)
    func mixed(_ sum: UInt64, _ value: UInt64) -> UInt64 {
        let product = (sum ^ value) &* multiplier
        return product ^ product &>> 32
    }
}
