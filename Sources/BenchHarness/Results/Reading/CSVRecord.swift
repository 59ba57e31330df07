/// The bytes of one field, quotes taken off; valid only while the record is lent out.
typealias CSVField = UnsafeBufferPointer<UInt8>

/// One record of a CSV file. Its buffers are used again for the next one, so that a row costs no allocation.
struct CSVRecord {
    /// The physical line on which it begins, from 1; quoted fields may go on over more.
    private(set) var line = 1
    /// Whether a line end stood behind it: not so for the last line of a file that was cut off.
    var isTerminated = true
    private var bytes: [UInt8] = []
    private var ends: [Int] = []
    /// All bytes or-ed: the highest bit tells whether there is anything but ASCII.
    private var bits: UInt8 = 0

    /// How many fields there are.
    var count: Int { ends.count }
    /// How many bytes they have.
    var byteCount: Int { bytes.count }
    /// Whether this is an empty line.
    var isBlank: Bool { ends.count == 1 && bytes.isEmpty }
    /// How many bytes the record holds on to.
    var retainedBytes: Int { bytes.capacity + ends.capacity * MemoryLayout<Int>.stride }

    /// Starts anew.
    mutating func begin(line: Int) {
        self.line = line
        isTerminated = true
        bits = 0
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        bits |= byte
        bytes.append(byte)
    }

    @inline(__always)
    mutating func endField() {
        ends.append(bytes.count)
    }

    /// Lends out the bytes of a field.
    @inline(__always)
    func withField<Result, Failure: Error>(
        _ index: Int, _ body: (CSVField) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let start = index == 0 ? 0 : ends[index - 1]
        let end = ends[index]
        return try bytes.withUnsafeBufferPointer { (all) throws(Failure) in
            try body(CSVField(rebasing: all[start..<end]))
        }
    }

    /// A field as text.
    func text(_ index: Int) -> String {
        withField(index) { String(decoding: $0, as: UTF8.self) }
    }

    /// The first field that is not UTF-8; nil when all are.
    var firstInvalidField: Int? {
        guard bits & 0x80 != 0 else { return nil }
        return ends.indices.first { index in
            withField(index) { String(validating: $0, as: UTF8.self) } == nil
        }
    }
}
