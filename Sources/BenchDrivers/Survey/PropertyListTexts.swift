/// The texts in a binary property list, wherever they are in it.
///
/// `PropertyListSerialization` makes an object for each reference, so that a list of a few hundred bytes, of arrays
/// that name the next one twice, takes all memory. This reads the table of objects once.
struct PropertyListTexts {
    private static let head = Array("bplist00".utf8)
    private static let trailerLength = 32
    /// Longer texts are no names. Many objects may be one long text.
    private static let longestName = 255
    private let bytes: [UInt8]
    /// The offsets of the objects.
    private let offsets: [Int]

    /// Nil if the bytes are no such list.
    init?(_ bytes: [UInt8]) {
        self.bytes = bytes
        let trailer = bytes.count - Self.trailerLength
        guard bytes.starts(with: Self.head), trailer >= Self.head.count else { return nil }
        let width = Int(bytes[trailer + 6])
        guard (1...8).contains(width), let count = Self.integer(bytes, trailer + 8, 8),
            let table = Self.integer(bytes, trailer + 24, 8), table <= trailer, count <= (trailer - table) / width
        else { return nil }
        offsets = (0..<count).compactMap { Self.integer(bytes, table + $0 * width, width) }
    }

    /// The texts that may be names, in the order of the table; without those that are damaged.
    var names: [String] { offsets.compactMap(text) }

    private func text(at offset: Int) -> String? {
        guard bytes.indices.contains(offset), let (count, start) = count(at: offset), count <= Self.longestName
        else { return nil }
        switch bytes[offset] >> 4 {
        case 5 where count <= bytes.count - start: return String(decoding: bytes[start..<start + count], as: UTF8.self)
        case 6 where count <= (bytes.count - start) / 2:
            let units = (0..<count).map { UInt16(bytes[start + 2 * $0]) << 8 | UInt16(bytes[start + 2 * $0 + 1]) }
            return String(decoding: units, as: UTF16.self)
        default: return nil
        }
    }

    /// The number of letters of a text, and where they begin.
    private func count(at offset: Int) -> (count: Int, start: Int)? {
        let short = Int(bytes[offset] & 0xF)
        if short < 15 { return (short, offset + 1) }
        // The number is an object of its own.
        guard offset + 1 < bytes.count, bytes[offset + 1] >> 4 == 1 else { return nil }
        let width = 1 << Int(bytes[offset + 1] & 0xF)
        guard width <= 8, let count = Self.integer(bytes, offset + 2, width) else { return nil }
        return (count, offset + 2 + width)
    }

    /// Reads a number, the highest byte first; nil if there are not as many bytes, or it is no `Int`.
    private static func integer(_ bytes: [UInt8], _ start: Int, _ width: Int) -> Int? {
        guard start <= bytes.count - width else { return nil }
        return Int(exactly: bytes[start..<start + width].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}
