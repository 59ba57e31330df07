import Foundation

/// The format of zlib (RFC 1950). It writes blocks without compression, which every reader takes, and reads all.
enum ZlibStream {
    /// The most bytes of a block without compression.
    private static let longestBlock = 65_535
    /// The method, the window of 32 KiB, and a check of both.
    private static let header: [UInt8] = [0x78, 0x01]

    /// Returns a stream with these bytes.
    static func stream(of bytes: [UInt8]) -> [UInt8] {
        var stream = header
        var start = 0
        repeat {
            let end = min(start + longestBlock, bytes.count)
            let length = UInt16(end - start)
            stream.append(end == bytes.count ? 1 : 0)
            stream += [length, ~length].flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
            stream += bytes[start..<end]
            start = end
        } while start < bytes.count
        return stream + checksum(bytes).bigEndianBytes
    }

    /// Returns the content of a stream; nil if it is damaged, or if there are more bytes than `limit`.
    static func content(of stream: [UInt8], limit: Int) -> [UInt8]? {
        guard stream.count >= 6, stream[0] & 0x0F == 8, (Int(stream[0]) << 8 + Int(stream[1])) % 31 == 0,
            stream[1] & 0x20 == 0
        else { return nil }
        var inflater = Inflater(stream[2...], limit: limit)
        guard let (content, rest) = inflater.inflate(), rest.count >= 4,
            rest.prefix(4).elementsEqual(checksum(content).bigEndianBytes)
        else { return nil }
        return content
    }

    /// Adler-32.
    static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return high << 16 | low
    }
}

extension FixedWidthInteger {
    /// The bytes, the most significant first.
    var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
