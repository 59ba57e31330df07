/// Fills a buffer with bytes from an offset on. Returns how many: as many as it has and as fit, 0 at the end.
typealias ByteSource = (_ buffer: inout [UInt8], _ start: Int) throws(RunError) -> Int

/// Reads CSV (RFC 4180, in UTF-8, lines ended by LF or CR LF) from a source, one record at a time.
///
/// ```swift
/// var reader = CSVReader(file: "a.csv", source: file.read)
/// while try reader.advance() { print(reader.record.text(0)) }
/// ```
///
/// It keeps one chunk and one record, both bounded by ``ResultLimits``. So it reads a file of any size and content in
/// bounded memory, or refuses it with the line's number.
struct CSVReader {
    private enum State {
        case fieldStart
        case unquoted
        case quoted
        /// After a quote in a quoted field: the end of the field, or the first half of a doubled quote.
        case quoteInQuoted
        case carriageReturn
    }

    /// The file's name in messages.
    let file: String
    /// The record that ``advance()`` read last.
    private(set) var record = CSVRecord()

    private let source: ByteSource
    private var chunk = [UInt8](repeating: 0, count: ResultLimits.chunkBytes)
    private var next = 0
    private var end = 0
    private var total = 0
    private var line = 1
    private var state = State.fieldStart

    init(file: String, source: @escaping ByteSource) {
        self.file = file
        self.source = source
    }

    /// The number of bytes that the reader retains.
    var retainedBytes: Int { chunk.capacity + record.retainedBytes }

    /// Reads the next record.
    ///
    /// - Returns: False if there is none.
    mutating func advance() throws(RunError) -> Bool {
        record.begin(line: line)
        state = .fieldStart
        while true {
            if next == end, try !fill() { return try endOfFile() }
            while next < end {
                let byte = chunk[next]
                next += 1
                if try take(byte) { return true }
            }
        }
    }

    /// Returns an error about the current position.
    func failure(_ found: String, expected: String, line: Int? = nil) -> RunError {
        RunError(.results, "\(file):\(line ?? self.line): \(found); expected \(expected)")
    }
}

// MARK: - Bytes

extension CSVReader {
    /// Processes one byte; returns true if it ends the record.
    @inline(__always)
    private mutating func take(_ byte: UInt8) throws(RunError) -> Bool {
        switch state {
        case .quoted:
            if byte == UInt8(ascii: "\"") {
                state = .quoteInQuoted
            } else {
                if byte == UInt8(ascii: "\n") { line += 1 }
                try append(byte)
            }
            return false
        case .fieldStart, .unquoted:
            return try takeUnquoted(byte)
        case .quoteInQuoted:
            return try takeAfterQuote(byte)
        case .carriageReturn:
            guard byte == UInt8(ascii: "\n") else { throw loneCarriageReturn }
            return try endRecord()
        }
    }

    @inline(__always)
    private mutating func takeUnquoted(_ byte: UInt8) throws(RunError) -> Bool {
        switch byte {
        case UInt8(ascii: ","): try endField()
        case UInt8(ascii: "\n"): return try endRecord()
        case UInt8(ascii: "\r"): state = .carriageReturn
        case UInt8(ascii: "\""):
            guard state == .fieldStart else {
                throw failure(
                    "a quote in the middle of field \(record.count + 1)",
                    expected: "the whole field in quotes, and quotes in it doubled")
            }
            state = .quoted
        default:
            state = .unquoted
            try append(byte)
        }
        return false
    }

    private mutating func takeAfterQuote(_ byte: UInt8) throws(RunError) -> Bool {
        switch byte {
        case UInt8(ascii: "\""):
            state = .quoted
            try append(byte)
        case UInt8(ascii: ","): try endField()
        case UInt8(ascii: "\n"): return try endRecord()
        case UInt8(ascii: "\r"): state = .carriageReturn
        default:
            throw failure(
                "text after the closing quote of field \(record.count + 1)",
                expected: "a comma or the end of the line; a quote within a field is doubled")
        }
        return false
    }

    @inline(__always)
    private mutating func append(_ byte: UInt8) throws(RunError) {
        if byte == 0 || record.byteCount == ResultLimits.recordBytes { throw unacceptable(byte) }
        record.append(byte)
    }

    @inline(__always)
    private mutating func endField() throws(RunError) {
        if record.count == ResultLimits.fields {
            throw failure("more than \(ResultLimits.fields) fields", expected: "a header and rows that bench run wrote")
        }
        record.endField()
        state = .fieldStart
    }

    private mutating func endRecord() throws(RunError) -> Bool {
        try endField()
        if let index = record.firstInvalidField {
            throw failure("bytes that are not UTF-8 in field \(index + 1)", expected: "UTF-8", line: record.line)
        }
        line += 1
        return true
    }

    private var loneCarriageReturn: RunError {
        failure("a carriage return without a line feed", expected: "lines that end with LF or CR LF")
    }

    private func unacceptable(_ byte: UInt8) -> RunError {
        if byte == 0 {
            return failure("a NUL byte", expected: "text in UTF-8; a file in UTF-16 can be converted with iconv")
        }
        var found = "a record of more than \(ResultLimits.recordBytes) bytes"
        if state == .quoted || state == .quoteInQuoted { found += ", perhaps because a closing quote is missing" }
        return failure(found, expected: "a row that bench run wrote", line: record.line)
    }
}

// MARK: - Chunks

extension CSVReader {
    /// Reads the next chunk; returns false at the end of the file.
    private mutating func fill() throws(RunError) -> Bool {
        let isFirst = total == 0
        next = 0
        end = try source(&chunk, 0)
        // A pipe may deliver the first bytes one by one, but the byte order mark needs them together.
        while isFirst, 1..<3 ~= end {
            let more = try source(&chunk, end)
            if more == 0 { break }
            end += more
        }
        total += end
        if total > ResultLimits.fileBytes {
            throw RunError(.results, "\(file): more than \(ResultLimits.fileBytes) bytes; expected a smaller file")
        }
        if isFirst { try skipByteOrderMark() }
        return end > 0
    }

    private mutating func skipByteOrderMark() throws(RunError) {
        let start = chunk[..<end].prefix(3)
        if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]) {
            throw failure("a file in UTF-16", expected: "UTF-8; iconv -f UTF-16 -t UTF-8 converts it")
        }
        if start.elementsEqual([0xEF, 0xBB, 0xBF]) { next = 3 }
    }

    /// Ends a last record without a line end.
    private mutating func endOfFile() throws(RunError) -> Bool {
        switch state {
        case .fieldStart where record.count == 0 && record.byteCount == 0: return false
        case .quoted:
            throw failure(
                "the end of the file in the quoted field \(record.count + 1) of the record that begins here",
                expected: "its closing quote; a row that was cut off can be deleted", line: record.line)
        case .carriageReturn: return try endRecord()
        default:
            record.isTerminated = false
            return try endRecord()
        }
    }
}
