import BenchHarness

/// Records in an array, nothing around them.
struct FetchedArray<Method: GRDBTechnique>: FetchedRecords, Sendable {
    let records: [Method.Record]
    let session: GRDBSession<Method>.Parts

    init(_ records: [Method.Record], _ session: GRDBSession<Method>.Parts) {
        self.records = records
        self.session = session
    }

    var count: Int { records.count }

    func digest(_ positions: Range<Int>, into digester: inout RecordDigester) {
        session.method.digest(records[positions], of: session.table.entity, into: &digester)
    }
}
