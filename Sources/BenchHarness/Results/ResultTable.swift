import Foundation

/// The rows of a CSV file.
public struct ResultTable: Sendable, Equatable {
    /// The rows, one per driver, phase and repetition, in the order of the file.
    public var rows: [ResultRow]

    /// Creates a table.
    public init(rows: [ResultRow]) {
        self.rows = rows
    }

    /// Reads a file, in bounded memory. Columns are found by name; unknown ones are ignored.
    ///
    /// - Throws: A ``RunError`` that names the file, the line and the column, what was found, and what was expected.
    public init(contentsOf url: URL) throws(RunError) {
        let file = try InputFile(url, kind: "a CSV file that bench run wrote")
        try self.init(CSVReader(file: file.name, source: file.read(into:from:)))
    }

    init(_ reader: CSVReader) throws(RunError) {
        var reader = reader
        let file = reader.file
        guard try reader.advance() else { throw RunError(.results, "\(file): an empty file; expected a header") }
        let header = try ResultHeader(reader.record, file: file)
        var texts = TextPool()
        rows = []
        while try reader.advance() {
            // Reserves the capacity, since a growing array would hold a large table twice.
            if rows.count == Self.manyRows { rows.reserveCapacity(ResultLimits.rows) }
            rows.append(try header.row(reader.record, texts: &texts))
            try Self.checkLimits(rows.count, texts, file)
        }
    }

    private static let manyRows = 1 << 16

    private static func checkLimits(_ rows: Int, _ texts: TextPool, _ file: String) throws(RunError) {
        if rows > ResultLimits.rows {
            throw RunError(.results, "\(file): more than \(ResultLimits.rows) rows; expected fewer, in several files")
        }
        if texts.byteCount > ResultLimits.textBytes {
            throw RunError(.results, "\(file): more than \(ResultLimits.textBytes) bytes of text; expected less")
        }
    }
}

extension CSVReader {
    /// Reads from memory.
    init(file: String, bytes: [UInt8]) {
        var rest = bytes[...]
        self.init(file: file) { (buffer, start) throws(RunError) in
            let piece = rest.prefix(buffer.count - start)
            buffer.replaceSubrange(start..<start + piece.count, with: piece)
            rest = rest.dropFirst(piece.count)
            return piece.count
        }
    }
}
