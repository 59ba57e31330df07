/// Pseudo-random bytes, eight per draw: drivers make them while the clock runs, so their cost must stay small beside
/// the store's.
struct RandomBytes {
    private var bits: SplitMix64

    /// Creates a generator; equal states give equal bytes on every platform.
    init(state: UInt64) { bits = SplitMix64(state: state) }

    /// Fills `buffer` with random bytes.
    mutating func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        fill(buffer) { $0 }
    }

    /// Fills `buffer` with random lower-case letters.
    mutating func fillWithLetters(_ buffer: UnsafeMutableRawBufferPointer) {
        fill(buffer, Self.letters)
    }

    @inline(__always)
    private mutating func fill(_ buffer: UnsafeMutableRawBufferPointer, _ transform: (UInt64) -> UInt64) {
        var start = 0
        while start + 8 <= buffer.count {
            buffer.storeBytes(of: transform(bits.next()).littleEndian, toByteOffset: start, as: UInt64.self)
            start += 8
        }
        guard start < buffer.count else { return }
        var rest = transform(bits.next())
        for index in start..<buffer.count {
            buffer[index] = UInt8(truncatingIfNeeded: rest)
            rest >>= 8
        }
    }

    /// Returns a letter for each of the eight bytes: `a` + byte * 26 / 256. One multiplication handles four bytes, with
    /// 16 bits for each.
    @inline(__always)
    static func letters(_ word: UInt64) -> UInt64 {
        let lowBytes: UInt64 = 0x00FF_00FF_00FF_00FF
        let even = ((word & lowBytes) &* 26) >> 8 & lowBytes
        let odd = ((word >> 8 & lowBytes) &* 26) & ~lowBytes
        return (even | odd) &+ 0x6161_6161_6161_6161
    }
}
