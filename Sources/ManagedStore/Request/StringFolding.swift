import Foundation

/// Folds strings, so that strings whose differences the options ignore become equal. The result is that of Foundation's
/// folding.
///
/// Foundation takes some microseconds for each string, which would slow down a scan of a million rows. Scalars of
/// European alphabets, and syllables and ideographs of East Asia, fold independently of their neighbours; these are
/// folded one by one here. Foundation folds the strings that contain other scalars.
enum StringFolding {
    /// Returns the folded form of `text`.
    static func fold(_ text: String, _ options: FetchPredicate.StringOptions) -> String {
        var text = text
        return text.withUTF8 { bytes in
            withFolded(UnsafeRawBufferPointer(bytes), options) { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// Calls `body` with the folded form of UTF-8 `bytes`, which is valid during the call.
    static func withFolded<Result>(
        _ bytes: UnsafeRawBufferPointer, _ options: FetchPredicate.StringOptions,
        _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        if options.isEmpty || bytes.isEmpty { return body(bytes) }
        return withUnsafeTemporaryAllocation(byteCount: bytes.count * FoldedScalars.growth, alignment: 1) { buffer in
            if let count = fold(bytes, options, into: buffer) {
                return body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            }
            var folded = String(decoding: bytes, as: UTF8.self).folding(options: options.compareOptions, locale: nil)
            return folded.withUTF8 { body(UnsafeRawBufferPointer($0)) }
        }
    }

    /// Folds scalar by scalar and returns the number of bytes; nil if Foundation has to fold the string.
    private static func fold(
        _ bytes: UnsafeRawBufferPointer, _ options: FetchPredicate.StringOptions,
        into buffer: UnsafeMutableRawBufferPointer
    ) -> Int? {
        let lowers = options.contains(.caseInsensitive)
        var (position, count) = (0, 0)
        while position < bytes.count {
            let byte = bytes[position]
            if byte < 0x80 {
                let isUpper = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
                buffer[count] = lowers && isUpper ? byte | 0x20 : byte
                (position, count) = (position + 1, count + 1)
                continue
            }
            guard let (scalar, length) = scalar(bytes, position) else { return nil }
            if FoldedScalars.staysAsItIs(scalar) {
                buffer[count..<count + length].copyBytes(from: bytes[position..<position + length])
                count += length
            } else {
                guard let folded = FoldedScalars.of(options).folded(scalar) else { return nil }
                buffer[count..<count + folded.count].copyBytes(from: folded)
                count += folded.count
            }
            position += length
        }
        return count
    }

    /// Returns the scalar of two or three bytes at `position`; nil for one of four bytes and for invalid UTF-8.
    private static func scalar(_ bytes: UnsafeRawBufferPointer, _ position: Int) -> (scalar: UInt32, length: Int)? {
        let length = bytes[position] & 0xE0 == 0xC0 ? 2 : bytes[position] & 0xF0 == 0xE0 ? 3 : 0
        guard length > 0, position + length <= bytes.count else { return nil }
        var scalar = UInt32(bytes[position] & (length == 2 ? 0x1F : 0x0F))
        for byte in bytes[position + 1..<position + length] {
            guard byte & 0xC0 == 0x80 else { return nil }
            scalar = scalar << 6 | UInt32(byte & 0x3F)
        }
        return scalar < (length == 2 ? 0x80 : 0x800) ? nil : (scalar, length)
    }
}

/// The folded forms of single scalars, as far as they are independent of neighbours.
struct FoldedScalars: Sendable {
    /// The maximum ratio of a folded string's length to the original: "ΐ" becomes three scalars of two bytes each.
    static let growth = 3

    /// Latin, Greek and Cyrillic letters, including accented ones as in Vietnamese.
    private static let letters: [Range<UInt32>] = [0x80..<0x530, 0x1E00..<0x1F00]
    /// The marks in those ranges, which combine with the previous scalar.
    private static let marks: [Range<UInt32>] = [0x300..<0x370, 0x483..<0x48A]
    /// Punctuation, kana, ideographs and Hangul syllables.
    private static let unfolded: [ClosedRange<UInt32>] = [
        0x2010...0x2027, 0x3001...0x3003, 0x3041...0x3096, 0x30A1...0x30FA, 0x3400...0x4DBF, 0x4E00...0x9FFF,
        0xAC00...0xD7A3,
    ]
    private static let tables = (0..<4).map { FoldedScalars(FetchPredicate.StringOptions(rawValue: $0)) }

    private var bytes: [UInt8] = []
    private var ends: [Int] = [0]

    private init(_ options: FetchPredicate.StringOptions) {
        for value in Self.letters.joined() {
            if let scalar = Unicode.Scalar(value) {
                bytes += String(scalar).folding(options: options.compareOptions, locale: nil).utf8
            }
            ends.append(bytes.count)
        }
    }

    static func of(_ options: FetchPredicate.StringOptions) -> FoldedScalars { tables[options.rawValue & 3] }

    /// Whether no folding changes the scalar.
    static func staysAsItIs(_ scalar: UInt32) -> Bool {
        scalar >= 0x2010 && unfolded.contains { $0.contains(scalar) }
    }

    /// Returns the bytes of the folded scalar; nil if they depend on its neighbours or are not known here.
    func folded(_ scalar: UInt32) -> ArraySlice<UInt8>? {
        if Self.marks.contains(where: { $0.contains(scalar) }) { return nil }
        let first = Self.letters[0]
        if first.contains(scalar) { return folded(at: Int(scalar - first.lowerBound)) }
        let second = Self.letters[1]
        return second.contains(scalar) ? folded(at: first.count + Int(scalar - second.lowerBound)) : nil
    }

    private func folded(at index: Int) -> ArraySlice<UInt8> { bytes[ends[index]..<ends[index + 1]] }
}

extension FetchPredicate.StringOptions {
    fileprivate var compareOptions: String.CompareOptions {
        var options: String.CompareOptions = []
        if contains(.caseInsensitive) { options.insert(.caseInsensitive) }
        if contains(.diacriticInsensitive) { options.insert(.diacriticInsensitive) }
        return options
    }
}
