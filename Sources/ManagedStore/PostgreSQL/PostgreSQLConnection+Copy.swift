import CPostgres
import Foundation

extension PostgreSQLConnection {
    /// Calls `body` with each row of a query, which has `columns` columns and no parameters. The rows arrive as the
    /// server finds them, and are not kept.
    func copy(
        _ query: String, columns: Int, _ body: (StreamedTuple) throws(StoreError) -> Void
    ) throws(StoreError) {
        let sql = "COPY (\(query)) TO STDOUT (FORMAT BINARY)"
        try execute(sql)
        var stream = CopyStream(tuple: StreamedTuple(columns: columns))
        defer { stream.tuple.deallocate() }
        while let message = try nextCopyMessage(sql) {
            defer { cpostgres_PQfreemem(message.baseAddress) }
            do throws(StoreError) {
                try stream.read(UnsafeRawBufferPointer(message), body)
            } catch {
                // Or else all other rows would still arrive.
                cancel()
                throw error
            }
        }
        try finishCopy(sql)
        if !stream.isAtEnd { throw StoreError.unexpectedCopy(address.name) }
    }

    /// Sends rows in binary form to a `COPY ... FROM STDIN (FORMAT BINARY)`. `fill` appends rows to a buffer, and
    /// returns whether there are more.
    ///
    /// - Returns: The number of rows that were written.
    func copy(
        into table: String, _ columns: [String], _ fill: (inout BinaryBuffer) throws(StoreError) -> Bool
    ) throws(StoreError) -> Int {
        let sql = "COPY \(table) (\(columns.joined(separator: ", "))) FROM STDIN (FORMAT BINARY)"
        try execute(sql)
        var buffer = BinaryBuffer()
        CopyStream.appendHeader(to: &buffer)
        do throws(StoreError) {
            var hasMore = true
            while hasMore {
                hasMore = try fill(&buffer)
                if !hasMore { CopyStream.appendEnd(to: &buffer) }
                try put(buffer, sql)
                buffer.removeAll()
            }
        } catch {
            _ = cpostgres_PQputCopyEnd(handle, "the client could not go on")
            _ = try? finishCopy(sql)
            throw error
        }
        guard cpostgres_PQputCopyEnd(handle, nil) == 1 else { throw failure(sql) }
        return try finishCopy(sql)
    }

    private func put(_ buffer: BinaryBuffer, _ sql: String) throws(StoreError) {
        for start in stride(from: 0, to: buffer.bytes.count, by: Self.messageSize) {
            let taken = buffer.bytes.withUnsafeBytes { bytes in
                let part = UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + Self.messageSize, bytes.count)])
                return cpostgres_PQputCopyData(
                    handle, part.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(part.count))
            }
            guard taken == 1 else { throw failure(sql) }
            // Or else the client library would keep what the server does not take yet, and all that follows.
            try flush(sql)
        }
    }

    /// The most bytes that are sent in one message.
    private static var messageSize: Int { 1 << 20 }

    /// Reads what the server says at the end of a copy. Returns the number of rows.
    @discardableResult
    private func finishCopy(_ sql: String) throws(StoreError) -> Int {
        var (count, failure) = (0, StoreError?.none)
        while let answer = try nextAnswer(sql) {
            do throws(StoreError) {
                let result = try checked(answer, sql)
                // For want of memory, the library may be unable to leave the copy.
                if result.isCopy { throw self.failure(sql) }
                count = result.affected
            } catch {
                if error.storeCode == .postgreSQL("08006") { throw error }
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        return count
    }
}

/// The binary form of a copy: a header, rows of a count of fields and of values after their lengths, and the count -1.
private struct CopyStream {
    let tuple: StreamedTuple
    private(set) var isAtEnd = false
    private var hasHeader = false

    private static let signature: [UInt8] = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00]
    /// The signature, 32 bits of flags, and the length of an extension, which no version of PostgreSQL has.
    private static let headerSize = 19

    init(tuple: StreamedTuple) {
        self.tuple = tuple
    }

    static func appendHeader(to buffer: inout BinaryBuffer) {
        signature.withUnsafeBytes { buffer.append($0) }
        buffer.append(0 as Int64)
    }

    static func appendEnd(to buffer: inout BinaryBuffer) { buffer.append(-1 as Int16) }

    /// Reads the rows of a message, which are whole.
    @inline(__always) mutating func read(
        _ bytes: UnsafeRawBufferPointer, _ body: (StreamedTuple) throws(StoreError) -> Void
    ) throws(StoreError) {
        var offset = 0
        if !hasHeader {
            guard bytes.count >= Self.headerSize, bytes.starts(with: Self.signature) else {
                throw StoreError.unexpectedCopy("the server")
            }
            (offset, hasHeader) = (Self.headerSize, true)
        }
        while offset < bytes.count {
            guard offset + 2 <= bytes.count else { throw StoreError.unexpectedCopy("the server") }
            let count = Int16(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int16.self))
            offset += 2
            if count == -1 {
                isAtEnd = true
                return
            }
            guard count == tuple.fields.count else { throw StoreError.unexpectedCopy("the server") }
            try readFields(bytes, &offset)
            try body(tuple)
        }
    }

    @inline(__always) private func readFields(
        _ bytes: UnsafeRawBufferPointer, _ offset: inout Int
    ) throws(StoreError) {
        for column in tuple.fields.indices {
            guard offset + 4 <= bytes.count else { throw StoreError.unexpectedCopy("the server") }
            let length = Int(Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self)))
            offset += 4
            if length < 0 {
                tuple.fields[column] = nil
                continue
            }
            guard offset + length <= bytes.count else { throw StoreError.unexpectedCopy("the server") }
            tuple.fields[column] = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + length])
            offset += length
        }
    }
}

extension StoreError {
    fileprivate static func unexpectedCopy(_ store: String) -> StoreError {
        StoreError(
            .storeFailure, "\(store): COPY answered in a form that PostgreSQL does not have; check what answers there")
    }
}
