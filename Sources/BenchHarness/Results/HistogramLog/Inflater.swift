/// Reads compressed data (RFC 1951, "DEFLATE"). The decoding of its codes follows Mark Adler's `puff`: by the number of
/// codes of each length.
package struct Inflater {
    private let bytes: ArraySlice<UInt8>
    private var position: Int
    private var buffer = 0
    private var bufferedBits = 0
    private var output: [UInt8] = []
    private let limit: Int

    /// - Parameter limit: The most bytes of the content.
    package init(_ bytes: ArraySlice<UInt8>, limit: Int) {
        (self.bytes, position, self.limit) = (bytes, bytes.startIndex, limit)
    }

    /// Returns the content and what follows it; nil if the data is damaged or the content too long.
    package mutating func inflate() -> (content: [UInt8], rest: ArraySlice<UInt8>)? {
        while true {
            guard let isLast = bits(1), let kind = bits(2) else { return nil }
            let isRead =
                switch kind {
                case 0: copyStored()
                case 1: readCodes(.fixedLengths, .fixedDistances)
                case 2: readDynamic()
                default: false
                }
            guard isRead, output.count <= limit else { return nil }
            if isLast == 1 { return (output, bytes[position...]) }
        }
    }

    /// Returns the next bits, the lowest first.
    private mutating func bits(_ count: Int) -> Int? {
        while bufferedBits < count {
            guard position < bytes.endIndex else { return nil }
            buffer |= Int(bytes[position]) << bufferedBits
            position += 1
            bufferedBits += 8
        }
        defer {
            buffer >>= count
            bufferedBits -= count
        }
        return buffer & (1 << count - 1)
    }

    private mutating func copyStored() -> Bool {
        (buffer, bufferedBits) = (0, 0)
        guard position + 4 <= bytes.endIndex else { return false }
        let length = Int(bytes[position]) | Int(bytes[position + 1]) << 8
        let check = Int(bytes[position + 2]) | Int(bytes[position + 3]) << 8
        position += 4
        guard length == ~check & 0xFFFF, position + length <= bytes.endIndex else { return false }
        output += bytes[position..<position + length]
        position += length
        return true
    }

    private mutating func symbol(_ code: Code) -> Int? {
        var (value, first, index) = (0, 0, 0)
        for length in 1...Code.longest {
            guard let bit = bits(1) else { return nil }
            value |= bit
            let count = code.counts[length]
            if value - count < first { return code.symbols[index + value - first] }
            index += count
            first = (first + count) << 1
            value <<= 1
        }
        return nil
    }

    // Source: RFC 1951, 3.2.5.
    private static let lengthBases = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227,
        258,
    ]
    private static let lengthExtras = [
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
    ]
    private static let distanceBases = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1_025, 1_537, 2_049, 3_073,
        4_097,
        6_145, 8_193, 12_289, 16_385, 24_577,
    ]
    private static let distanceExtras = [
        0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
    ]
    private static let endOfBlock = 256

    private mutating func readCodes(_ lengths: Code, _ distances: Code) -> Bool {
        while output.count <= limit {
            guard let symbol = symbol(lengths) else { return false }
            if symbol == Self.endOfBlock { return true }
            if symbol < Self.endOfBlock {
                output.append(UInt8(symbol))
                continue
            }
            let place = symbol - Self.endOfBlock - 1
            guard place < Self.lengthBases.count, let more = bits(Self.lengthExtras[place]),
                let far = self.symbol(distances), far < Self.distanceBases.count,
                let moreFar = bits(Self.distanceExtras[far])
            else { return false }
            let distance = Self.distanceBases[far] + moreFar
            guard distance <= output.count else { return false }
            for _ in 0..<(Self.lengthBases[place] + more) { output.append(output[output.count - distance]) }
        }
        return false
    }

    private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    private mutating func readDynamic() -> Bool {
        guard let more = bits(5), let moreDistances = bits(5), let moreCodes = bits(4) else { return false }
        let (lengthCount, distanceCount) = (more + 257, moreDistances + 1)
        var codeLengths = [Int](repeating: 0, count: Self.order.count)
        for place in Self.order.prefix(moreCodes + 4) {
            guard let length = bits(3) else { return false }
            codeLengths[place] = length
        }
        let code = Code(codeLengths)
        var lengths: [Int] = []
        while lengths.count < lengthCount + distanceCount {
            guard let symbol = symbol(code) else { return false }
            switch symbol {
            case 0..<16: lengths.append(symbol)
            case 16:
                guard let last = lengths.last, let count = bits(2) else { return false }
                lengths += [Int](repeating: last, count: 3 + count)
            default:
                guard let count = bits(symbol == 17 ? 3 : 7) else { return false }
                lengths += [Int](repeating: 0, count: (symbol == 17 ? 3 : 11) + count)
            }
        }
        guard lengths.count == lengthCount + distanceCount else { return false }
        return readCodes(Code(lengths[..<lengthCount]), Code(lengths[lengthCount...]))
    }
}

/// A canonical Huffman code.
private struct Code {
    static let longest = 15
    /// The number of symbols of each length.
    private(set) var counts = [Int](repeating: 0, count: Code.longest + 1)
    /// By their codes.
    private(set) var symbols: [Int] = []

    static let fixedLengths = Code(
        (0..<288).map { symbol in symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8 })
    static let fixedDistances = Code([Int](repeating: 5, count: 30))

    init(_ lengths: some Collection<Int>) {
        for length in lengths { counts[length] += 1 }
        counts[0] = 0
        for length in 1...Self.longest {
            for (symbol, own) in lengths.enumerated() where own == length { symbols.append(symbol) }
        }
    }
}
