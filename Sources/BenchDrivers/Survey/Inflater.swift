/// Decompresses data in the format deflate (RFC 1951), without a header. It takes the bits of a code one by one, which
/// suffices for the few kilobytes of a model.
struct Inflater {
    private let bytes: [UInt8]
    private let limit: Int
    private var position = 0
    /// Bits of the byte before ``position`` that were not taken yet, and their number.
    private var (left, count) = (0, 0)
    private var output: [UInt8] = []

    /// Returns the content of compressed `bytes`; nil if they are damaged, or hold more than `limit` bytes.
    static func content(of bytes: [UInt8], limit: Int) -> [UInt8]? {
        var inflater = Inflater(bytes: bytes, limit: limit)
        return inflater.inflate() ? inflater.output : nil
    }

    private init(bytes: [UInt8], limit: Int) { (self.bytes, self.limit) = (bytes, limit) }

    private mutating func inflate() -> Bool {
        while true {
            guard let isLast = bits(1), let kind = bits(2) else { return false }
            let isWhole =
                switch kind {
                case 0: copyBlock()
                case 1: decodeBlock(.fixedLengths, .fixedDistances)
                case 2: decodeBlock()
                default: false
                }
            guard isWhole else { return false }
            if isLast == 1 { return true }
        }
    }

    // MARK: - Bits

    private mutating func bits(_ wanted: Int) -> Int? {
        while count < wanted {
            guard position < bytes.count else { return nil }
            left |= Int(bytes[position]) << count
            (position, count) = (position + 1, count + 8)
        }
        defer { (left, count) = (left >> wanted, count - wanted) }
        return left & (1 << wanted - 1)
    }

    private mutating func symbol(_ code: PrefixCode) -> Int? {
        var (word, first, index) = (0, 0, 0)
        for length in 1...PrefixCode.longest {
            guard let bit = bits(1) else { return nil }
            word |= bit
            let number = code.counts[length]
            if word - first < number { return code.symbols[index + word - first] }
            index += number
            first = (first + number) << 1
            word <<= 1
        }
        return nil
    }

    // MARK: - Blocks

    private mutating func copyBlock() -> Bool {
        (left, count) = (0, 0)
        guard let size = bits(16), let complement = bits(16), size == ~complement & 0xFFFF,
            position + size <= bytes.count, output.count + size <= limit
        else { return false }
        output += bytes[position..<position + size]
        position += size
        return true
    }

    /// Reads the codes of a block, then the block.
    private mutating func decodeBlock() -> Bool {
        guard let literals = bits(5), let distances = bits(5), let orders = bits(4) else { return false }
        var lengths = [Int](repeating: 0, count: 19)
        for place in Self.order.prefix(orders + 4) {
            guard let length = bits(3) else { return false }
            lengths[place] = length
        }
        let total = literals + 257 + distances + 1
        guard let code = PrefixCode(lengths[...]), let all = self.lengths(total, code),
            let own = PrefixCode(all[..<(literals + 257)]), let back = PrefixCode(all[(literals + 257)...])
        else { return false }
        return decodeBlock(own, back)
    }

    private mutating func lengths(_ total: Int, _ code: PrefixCode) -> [Int]? {
        var lengths: [Int] = []
        while lengths.count < total {
            guard let symbol = symbol(code) else { return nil }
            if symbol < 16 {
                lengths.append(symbol)
                continue
            }
            let (width, base) = [(2, 3), (3, 3), (7, 11)][symbol - 16]
            guard let more = bits(width), symbol > 16 || !lengths.isEmpty else { return nil }
            let repeated = symbol == 16 ? lengths[lengths.count - 1] : 0
            lengths += Array(repeating: repeated, count: base + more)
        }
        return lengths.count == total ? lengths : nil
    }

    private mutating func decodeBlock(_ literals: PrefixCode, _ distances: PrefixCode) -> Bool {
        while let symbol = symbol(literals), output.count < limit {
            if symbol == 256 { return true }
            if symbol < 256 {
                output.append(UInt8(symbol))
                continue
            }
            guard symbol <= 285, let more = bits(Self.lengthBits[symbol - 257]), let place = self.symbol(distances),
                place < 30, let further = bits(place < 4 ? 0 : place / 2 - 1)
            else { return false }
            let base = place < 4 ? place + 1 : (2 + place % 2) << (place / 2 - 1) + 1
            let (length, distance) = (Self.lengthBases[symbol - 257] + more, base + further)
            guard distance <= output.count, output.count + length <= limit else { return false }
            for _ in 0..<length { output.append(output[output.count - distance]) }
        }
        return false
    }

    private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
    private static let lengthBases = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227,
        258,
    ]
    private static let lengthBits = [
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
    ]
}

/// A code in which no word begins another, in the order of RFC 1951, 3.2.2: shorter words come first, and those of one
/// length by their symbols.
private struct PrefixCode {
    static let longest = 15
    /// The number of words of each length.
    let counts: [Int]
    let symbols: [Int]

    /// Nil if there are more words than can be told apart.
    init?(_ lengths: ArraySlice<Int>) {
        var counts = [Int](repeating: 0, count: Self.longest + 1)
        for length in lengths where length > 0 { counts[length] += 1 }
        var free = 1
        for length in 1...Self.longest {
            free = free << 1 - counts[length]
            if free < 0 { return nil }
        }
        self.counts = counts
        let used = lengths.enumerated().filter { $0.element > 0 }
        symbols = used.sorted { ($0.element, $0.offset) < ($1.element, $1.offset) }.map(\.offset)
    }

    private init(fixed lengths: [Int]) {
        guard let code = PrefixCode(lengths[...]) else { preconditionFailure("the code of RFC 1951 is one") }
        self = code
    }

    static let fixedLengths = PrefixCode(
        fixed: (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })
    static let fixedDistances = PrefixCode(fixed: Array(repeating: 5, count: 30))
}
