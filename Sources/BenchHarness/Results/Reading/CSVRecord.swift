/// The bytes of one field without its quotes; valid only during the call that receives them.
typealias CSVField = UnsafeBufferPointer<UInt8>

/// One record of a CSV file. The next record reuses its buffers, so that a row costs no allocation.
struct CSVRecord {
    /// The physical line on which the record begins, from 1; quoted fields may continue over several.
    private(set) var line = 1
    /// Whether a line end followed the record; false for the last line of a truncated file.
    var isTerminated = true
    private var bytes: [UInt8] = []
    private var ends: [Int] = []
    /// All bytes combined by OR: the highest bit shows whether any is outside ASCII.
    private var bits: UInt8 = 0

    /// The number of fields.
    var count: Int { ends.count }
    /// The number of bytes of all fields.
    var byteCount: Int { bytes.count }
    /// Whether the record is an empty line.
    var isBlank: Bool { ends.count == 1 && bytes.isEmpty }
    /// The number of bytes that the record retains.
    var retainedBytes: Int { bytes.capacity + ends.capacity * MemoryLayout<Int>.stride }

    /// Starts a new record.
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

    /// Passes the bytes of a field to a closure.
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

    /// Returns a field as text.
    func text(_ index: Int) -> String {
        withField(index) { String(decoding: $0, as: UTF8.self) }
    }

    /// The first field that is not UTF-8; nil if all are.
    var firstInvalidField: Int? {
        guard bits & 0x80 != 0 else { return nil }
        return ends.indices.first { index in
            withField(index) { String(validating: $0, as: UTF8.self) } == nil
        }
    }
}
