import Foundation

/// What has a compact form in bytes, for messages that grow with a load.
protocol Packable {
    func pack(into bytes: inout PackedBytes)
    init(from bytes: inout PackedBytes.Reader) throws
}

/// Numbers as bytes: seven bits in each, the lowest first, and the eighth bit if more follow (LEB128). Times and
/// revisions are written as the difference to the one before, since neighbours are close.
struct PackedBytes {
    private(set) var data = Data()
    private var lastTime = 0
    private var lastRevision: UInt64 = 0

    mutating func append(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            data.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        data.append(UInt8(rest))
    }

    /// Small negative numbers take as few bytes as small positive ones.
    mutating func append(_ number: Int) { append(UInt64(bitPattern: Int64(number << 1 ^ number >> 63))) }

    mutating func append(time: Int) {
        append(time &- lastTime)
        lastTime = time
    }

    mutating func append(revision: UInt64) {
        append(Int(bitPattern: UInt(revision &- lastRevision)))
        lastRevision = revision
    }

    /// Appends a number whose bits are random: eight bytes.
    mutating func append(hash: UInt64) { withUnsafeBytes(of: hash.littleEndian) { data.append(contentsOf: $0) } }

    mutating func append(_ flags: UInt8) { data.append(flags) }

    mutating func append(_ content: Data) {
        append(content.count)
        data.append(content)
    }

    /// Reads what ``PackedBytes`` has written, in the same order.
    struct Reader {
        private let data: Data
        private var position: Data.Index
        private var lastTime = 0
        private var lastRevision: UInt64 = 0

        init(_ data: Data) { (self.data, position) = (data, data.startIndex) }

        private func failure(_ reason: String) -> RunError {
            RunError(
                .meeting,
                "its message \(reason) after \(position - data.startIndex) of \(data.count) bytes; start all shards "
                    + "with the same bench")
        }

        mutating func flags() throws(RunError) -> UInt8 {
            guard position < data.endIndex else { throw failure("ends") }
            defer { position += 1 }
            return data[position]
        }

        mutating func number() throws(RunError) -> UInt64 {
            var number: UInt64 = 0
            for shift in stride(from: 0, to: 64, by: 7) {
                let byte = try flags()
                number |= UInt64(byte & 0x7F) << shift
                if byte < 0x80 { return number }
            }
            throw failure("has a number that is too long")
        }

        mutating func integer() throws(RunError) -> Int {
            let number = try number()
            return Int(bitPattern: UInt(number >> 1)) ^ -Int(number & 1)
        }

        mutating func time() throws(RunError) -> Int {
            lastTime &+= try integer()
            return lastTime
        }

        mutating func revision() throws(RunError) -> UInt64 {
            lastRevision &+= UInt64(bitPattern: Int64(try integer()))
            return lastRevision
        }

        mutating func hash() throws(RunError) -> UInt64 {
            var number: UInt64 = 0
            for shift in stride(from: 0, to: 64, by: 8) { number |= UInt64(try flags()) << shift }
            return number
        }

        /// Returns a number of things, each of which takes a byte or more.
        mutating func count() throws(RunError) -> Int {
            let count = try integer()
            guard (0...data.endIndex - position).contains(count) else { throw failure("has too large a number") }
            return count
        }

        mutating func content() throws(RunError) -> Data {
            let count = try count()
            defer { position += count }
            return data[position..<position + count]
        }

        /// Checks that nothing is left.
        func end() throws(RunError) {
            if position < data.endIndex { throw failure("goes on") }
        }
    }
}

extension Packable {
    /// The bytes of the whole.
    var packed: Data {
        var bytes = PackedBytes()
        pack(into: &bytes)
        return bytes.data
    }

    /// Reads what ``packed`` has written.
    init(packed: Data) throws {
        var reader = PackedBytes.Reader(packed)
        try self.init(from: &reader)
        try reader.end()
    }
}

extension Int: Packable {
    func pack(into bytes: inout PackedBytes) { bytes.append(self) }
    init(from bytes: inout PackedBytes.Reader) throws { self = try bytes.integer() }
}

extension Array: Packable where Element: Packable {
    func pack(into bytes: inout PackedBytes) {
        bytes.append(count)
        for element in self { element.pack(into: &bytes) }
    }

    init(from bytes: inout PackedBytes.Reader) throws {
        let count = try bytes.count()
        self = []
        reserveCapacity(count)
        for _ in 0..<count { append(try Element(from: &bytes)) }
    }
}

/// In the order of the keys.
extension Dictionary: Packable where Key == Int, Value: Packable {
    func pack(into bytes: inout PackedBytes) {
        bytes.append(count)
        for (key, value) in sorted(by: { $0.key < $1.key }) {
            bytes.append(key)
            value.pack(into: &bytes)
        }
    }

    init(from bytes: inout PackedBytes.Reader) throws {
        self = [:]
        for _ in 0..<(try bytes.count()) {
            let key = try bytes.integer()
            self[key] = try Value(from: &bytes)
        }
    }
}

extension Range<Int>: Packable {
    func pack(into bytes: inout PackedBytes) {
        bytes.append(lowerBound)
        bytes.append(count)
    }

    init(from bytes: inout PackedBytes.Reader) throws {
        let (start, count) = (try bytes.integer(), try bytes.integer())
        let (end, overflows) = start.addingReportingOverflow(count)
        guard count >= 0, !overflows else {
            throw RunError(
                .meeting,
                "its message has an invalid range, \(count) from \(start); start all shards with the same bench")
        }
        self = start..<end
    }
}

extension String: Packable {
    func pack(into bytes: inout PackedBytes) { bytes.append(Data(utf8)) }
    init(from bytes: inout PackedBytes.Reader) throws { self = String(decoding: try bytes.content(), as: UTF8.self) }
}
