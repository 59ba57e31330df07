/// Short strings of ASCII, made of the two words that a row holds of them.
///
/// Swift keeps a string of up to fifteen bytes in the string itself: the bytes, zeros after them, and in the last byte
/// their number with a mark for ASCII. A row holds the same without the mark. To set the mark takes a tenth of the
/// instructions of copying and validating the bytes, and most strings that are read are short.
@usableFromInline enum ShortString {
    /// The mark of ASCII in the last byte.
    private static let mark: UInt64 = 0xE0 << 56

    /// Whether this version of Swift keeps such strings in this form: see `StringObject.swift` in its standard library.
    /// Nothing promises that, so the first read of a string finds out.
    static let isKnown: Bool = {
        guard MemoryLayout<String>.size == 16, MemoryLayout<Int>.size == 8, 1.littleEndian == 1 else { return false }
        return (0...RowField.inlineLimit).allSatisfy { count in
            // Distinct bytes, so that an order other than the one expected is noticed.
            let bytes = (0..<count).map { UInt8(0x41 + $0) }
            let words = unsafeBitCast(String(decoding: bytes, as: UTF8.self), to: (UInt64, UInt64).self)
            var expected = [UInt8](repeating: 0, count: 16)
            expected.replaceSubrange(..<count, with: bytes)
            expected[15] = 0xE0 | UInt8(count)
            return withUnsafeBytes(of: words) { $0.elementsEqual(expected) }
        }
    }()

    /// Returns the string that lies in a row at `offset`; nil for one that lies elsewhere or has other characters.
    @usableFromInline static func load(at offset: Int, of row: RowPointer) -> String? {
        let low = row.load(fromByteOffset: offset, as: UInt64.self)
        let high = row.load(fromByteOffset: offset + 8, as: UInt64.self)
        let letters = low | high & (1 << 56 - 1)
        guard high >> 56 <= RowField.inlineLimit, letters & 0x8080_8080_8080_8080 == 0, isKnown else { return nil }
        // Moved, since a copy would count references although such a string has none.
        var words = (low, high | mark)
        return withUnsafeMutableBytes(of: &words) { $0.baseAddress?.assumingMemoryBound(to: String.self).move() }
    }
}
