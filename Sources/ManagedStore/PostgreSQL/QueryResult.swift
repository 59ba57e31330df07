import CPostgres
import Foundation

/// The answer to a statement, with values in PostgreSQL's binary form.
final class QueryResult {
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) {
        self.handle = handle
    }

    deinit {
        cpostgres_PQclear(handle)
    }

    var status: UInt32 { cpostgres_PQresultStatus(handle) }
    /// Whether the connection is within a copy.
    var isCopy: Bool { [CPOSTGRES_COPY_IN.rawValue, CPOSTGRES_COPY_OUT.rawValue].contains(status) }
    /// Whether it has rows: all, or some while they arrive.
    var hasTuples: Bool {
        [CPOSTGRES_TUPLES_OK.rawValue, CPOSTGRES_SINGLE_TUPLE.rawValue, CPOSTGRES_TUPLES_CHUNK.rawValue].contains(
            status)
    }
    /// The number of rows.
    var count: Int { Int(cpostgres_PQntuples(handle)) }
    /// The number of rows that the statement wrote or found.
    var affected: Int { Int(String(cString: cpostgres_PQcmdTuples(handle))) ?? 0 }

    subscript(row: Int) -> ResultTuple { ResultTuple(result: self, row: Int32(row)) }

    /// Returns the bytes of a value; nil for NULL.
    @inline(__always) func bytes(_ row: Int32, _ column: Int) -> UnsafeRawBufferPointer? {
        let column = Int32(column)
        if cpostgres_PQgetisnull(handle, row, column) != 0 { return nil }
        return UnsafeRawBufferPointer(
            start: cpostgres_PQgetvalue(handle, row, column), count: Int(cpostgres_PQgetlength(handle, row, column)))
    }

    /// Returns a field of the error, such as its message.
    func errorField(_ field: cpostgres_error_field) -> String? {
        cpostgres_PQresultErrorField(handle, Int32(field.rawValue)).map { String(cString: $0) }
    }
}

/// A row of an answer, with values in PostgreSQL's binary form.
protocol BinaryTuple {
    /// Returns the bytes of a column, which are valid until the next row; nil for NULL.
    func bytes(_ column: Int) -> UnsafeRawBufferPointer?
}

extension BinaryTuple {
    /// Returns an integer of any width; 0 for NULL.
    @inline(__always) func int64(_ column: Int) -> Int64 { bytes(column)?.bigEndianInteger ?? 0 }

    func string(_ column: Int) -> String { bytes(column).map { String(decoding: $0, as: UTF8.self) } ?? "" }
}

struct ResultTuple: BinaryTuple {
    let result: QueryResult
    let row: Int32

    @inline(__always) func bytes(_ column: Int) -> UnsafeRawBufferPointer? { result.bytes(row, column) }
}

extension UnsafeRawBufferPointer {
    /// A signed integer of one, two, four or eight bytes, the most significant first; 0 for another number of bytes.
    @inline(__always) var bigEndianInteger: Int64 {
        switch count {
        case 8: Int64(bigEndian: loadUnaligned(as: Int64.self))
        case 4: Int64(Int32(bigEndian: loadUnaligned(as: Int32.self)))
        case 2: Int64(Int16(bigEndian: loadUnaligned(as: Int16.self)))
        case 1: Int64(self[0])
        default: 0
        }
    }

    /// A double, the most significant byte first; 0 for another number of bytes.
    @inline(__always) var bigEndianDouble: Double {
        count == 8 ? Double(bitPattern: UInt64(bigEndian: loadUnaligned(as: UInt64.self))) : 0
    }
}
