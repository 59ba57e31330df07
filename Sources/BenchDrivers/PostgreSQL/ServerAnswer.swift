import CPostgres

/// What a server answered to a statement. It frees the answer when it is released.
final class ServerAnswer {
    let handle: OpaquePointer

    init(_ handle: OpaquePointer) { self.handle = handle }

    deinit { cpostgres_PQclear(handle) }

    var status: UInt32 { cpostgres_PQresultStatus(handle) }

    /// The number of rows that the statement changed.
    var affected: Int { Int(String(cString: cpostgres_PQcmdTuples(handle))) ?? 0 }

    var rows: Int { Int(cpostgres_PQntuples(handle)) }

    func row(_ number: Int) -> AnswerRow { AnswerRow(handle: handle, number: Int32(number)) }
}

/// A row of an answer. The answer must outlive it.
struct AnswerRow: ServerRow {
    let handle: OpaquePointer
    let number: Int32

    @inline(__always)
    func bytes(_ column: Int) -> UnsafeRawBufferPointer? {
        let length = cpostgres_PQgetlength(handle, number, Int32(column))
        if length == 0, cpostgres_PQgetisnull(handle, number, Int32(column)) != 0 { return nil }
        return UnsafeRawBufferPointer(start: cpostgres_PQgetvalue(handle, number, Int32(column)), count: Int(length))
    }
}
