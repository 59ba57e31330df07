import BenchHarness
import CPostgres
import Foundation

/// A row of a copy from the server.
struct CopiedRow: ServerRow {
    fileprivate let fields: UnsafeMutableBufferPointer<UnsafeRawBufferPointer?>

    @inline(__always) func bytes(_ column: Int) -> UnsafeRawBufferPointer? { fields[column] }
}

extension ServerConnection {
    /// Calls `body` with each row of a query, which has no parameters and `columns` columns, as it arrives.
    func copyOut(_ query: String, columns: Int, _ body: (CopiedRow) throws -> Void) throws {
        let sql = "COPY (\(query)) TO STDOUT (FORMAT BINARY)"
        try execute(sql)
        let fields = UnsafeMutableBufferPointer<UnsafeRawBufferPointer?>.allocate(capacity: columns)
        fields.initialize(repeating: nil)
        defer { fields.deallocate() }
        var (offset, problem) = (Self.headerSize, (any Error)?.none)
        while true {
            var message: UnsafeMutablePointer<CChar>?
            let count = cpostgres_PQgetCopyData(handle, &message, 0)
            guard count > 0, let message else { break }
            defer { cpostgres_PQfreemem(message) }
            // What the server had sent before it was interrupted.
            guard problem == nil else { continue }
            do {
                try read(UnsafeRawBufferPointer(start: message, count: Int(count)), from: offset, into: fields, body)
            } catch {
                problem = error
                // Or else all other rows would still arrive.
                interrupt()
            }
            offset = 0
        }
        let ending = Result { try endCopy(sql) }
        if let problem { throw problem }
        _ = try ending.get()
    }

    /// The signature, 32 bits of flags, and the length of an extension, which no version of PostgreSQL has.
    private static var headerSize: Int { 19 }

    /// Reads the rows of a message, which are whole: a count of fields, and values after their lengths. The count -1
    /// ends the last one.
    @inline(__always)
    private func read(
        _ bytes: UnsafeRawBufferPointer, from start: Int,
        into fields: UnsafeMutableBufferPointer<UnsafeRawBufferPointer?>, _ body: (CopiedRow) throws -> Void
    ) throws {
        var offset = start
        while offset + 2 <= bytes.count {
            let count = Int16(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int16.self))
            offset += 2
            if count == -1 { return }
            guard count == fields.count else { throw DriverError(.corrupt, "a copy has rows of \(count) fields") }
            for column in fields.indices {
                let length = Int(Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self)))
                offset += 4
                fields[column] = length < 0 ? nil : UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + length])
                offset += max(length, 0)
            }
            try body(CopiedRow(fields: fields))
        }
    }

    /// The size from which rows are sent, in bytes.
    private static var messageSize: Int { 1 << 16 }

    /// Copies rows to a table. `append` appends the row at a position, with a value for each column.
    func copyIn(
        _ table: String, _ columns: [String], _ positions: Range<Int>,
        append: (Int, inout ServerCopyBuffer) throws -> Void
    ) throws {
        guard !positions.isEmpty else { return }
        let sql = "COPY \(table) (\(columns.joined(separator: ", "))) FROM STDIN (FORMAT BINARY)"
        try execute(sql)
        var rows = ServerCopyBuffer()
        rows.begin()
        do {
            for position in positions {
                rows.beginRow(fields: columns.count)
                try append(position, &rows)
                if rows.buffer.count >= Self.messageSize { try send(&rows, sql) }
            }
            rows.end()
            try send(&rows, sql)
        } catch {
            _ = cpostgres_PQputCopyEnd(handle, "the client could not go on")
            _ = try? endCopy(sql)
            throw error
        }
        guard cpostgres_PQputCopyEnd(handle, nil) == 1 else { throw failure(sql) }
        didRead(try endCopy(sql))
    }

    private func send(_ rows: inout ServerCopyBuffer, _ sql: String) throws {
        let sent = rows.buffer.bytes.withUnsafeBytes { bytes in
            cpostgres_PQputCopyData(
                handle, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count))
        }
        guard sent == 1 else { throw failure(sql) }
        rows.removeAll()
    }

    /// Reads what the server says at the end of a copy, and returns the number of rows.
    private func endCopy(_ sql: String) throws -> Int {
        var (count, problem) = (0, (any Error)?.none)
        while let answer = cpostgres_PQgetResult(handle) {
            let found = ServerAnswer(answer)
            switch found.status {
            case CPOSTGRES_COMMAND_OK.rawValue: count = max(count, found.affected)
            // For want of memory, libpq may be unable to leave the copy.
            case CPOSTGRES_COPY_IN.rawValue, CPOSTGRES_COPY_OUT.rawValue: throw problem ?? failure(sql)
            default: problem = problem ?? error(answer, sql)
            }
        }
        if let problem { throw problem }
        return count
    }
}
