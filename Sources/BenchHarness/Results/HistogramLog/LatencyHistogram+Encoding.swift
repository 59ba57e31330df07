import Foundation

/// HdrHistogram's compressed form, version 2: a header, and the counts of the buckets, runs of empty ones as one
/// negative number.
///
/// Source: `encodeIntoByteBuffer` and `encodeIntoCompressedByteBuffer` of HdrHistogram 2.1 (AbstractHistogram.java).
/// ``LatencyHistogram`` has the buckets of a histogram with three significant digits.
extension LatencyHistogram {
    private enum Cookie {
        static let plain: Int32 = 0x1C84_9303 | 0x10
        static let compressed: Int32 = 0x1C84_9304 | 0x10
    }
    private static let digits: Int32 = 3
    /// Cookie, length, offset of the normalization, digits, lowest and highest value, and ratio of conversion.
    private static let headerSize = 40
    /// More than any histogram takes.
    private static let longestContent = 1 << 22

    /// The compressed form, in Base64.
    var encoded: String {
        var counts: [UInt8] = []
        var next = 0
        forEachBucket { index, count in
            if index > next { Self.append(next - index, to: &counts) }
            Self.append(count, to: &counts)
            next = index + 1
        }
        let highest = max.map { Self.highestValue(at: Self.index(of: $0)) } ?? 0
        var bytes = Cookie.plain.bigEndianBytes + Int32(counts.count).bigEndianBytes + (0 as Int32).bigEndianBytes
        bytes += Self.digits.bigEndianBytes + (1 as Int64).bigEndianBytes
        bytes += Int64(Swift.max(highest, 2)).bigEndianBytes + (1.0).bitPattern.bigEndianBytes
        let stream = ZlibStream.stream(of: bytes + counts)
        return Data(Cookie.compressed.bigEndianBytes + Int32(stream.count).bigEndianBytes + stream)
            .base64EncodedString()
    }

    /// Reads the compressed form, of three digits and a lowest value of 1. Its extremes are those of the buckets.
    ///
    /// - Returns: Nil for another form, or a damaged one.
    init?(encoded: String) {
        guard let data = Data(base64Encoded: encoded), data.count > 8 else { return nil }
        let bytes = [UInt8](data)
        guard Self.number(bytes[0..<4]) == Int(Cookie.compressed),
            let content = ZlibStream.content(of: Array(bytes[8...]), limit: Self.longestContent),
            content.count >= Self.headerSize, Self.number(content[0..<4]) == Int(Cookie.plain),
            Self.number(content[8..<12]) == 0, Self.number(content[12..<16]) == Int(Self.digits),
            Self.number(content[16..<24]) == 1,
            let buckets = Self.buckets(content[Self.headerSize...].prefix(Self.number(content[4..<8])))
        else { return nil }
        self.init(buckets: buckets)
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

    /// Appends a number in ZigZag form, seven bits a byte, the lowest first.
    private static func append(_ number: Int, to bytes: inout [UInt8]) {
        var rest = UInt64(bitPattern: Int64(number << 1 ^ number >> 63))
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    private static func buckets(_ bytes: ArraySlice<UInt8>) -> [(index: Int, count: Int)]? {
        var (buckets, index, left) = ([(index: Int, count: Int)](), 0, bytes)
        while !left.isEmpty {
            guard let number = takeNumber(&left) else { return nil }
            if number <= 0 {
                guard number != 0 || index < indexCount, -number <= indexCount else { return nil }
                // A count of 0 stands for one empty bucket.
                index += Swift.max(-number, 1)
            } else {
                buckets.append((index, number))
                index += 1
            }
            if index > indexCount { return nil }
        }
        return buckets
    }

    private static func takeNumber(_ bytes: inout ArraySlice<UInt8>) -> Int? {
        var (number, shift): (UInt64, UInt64) = (0, 0)
        while let byte = bytes.popFirst() {
            // The ninth byte has eight bits.
            if shift == 56 { return zigZag(number | UInt64(byte) << shift) }
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return zigZag(number) }
            shift += 7
        }
        return nil
    }

    private static func zigZag(_ number: UInt64) -> Int { Int(bitPattern: UInt(number >> 1)) ^ -Int(number & 1) }
}
