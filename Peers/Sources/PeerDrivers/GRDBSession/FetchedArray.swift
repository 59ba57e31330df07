import BenchHarness
import DriverSupport

/// Records in an array, nothing around them.
struct FetchedArray<Method: GRDBTechnique>: FetchedRecords, SlicedRecords {
    let records: [Method.Record]
    let session: GRDBSession<Method>.Parts

    init(_ records: [Method.Record], _ session: GRDBSession<Method>.Parts) {
        self.records = records
        self.session = session
    }

    var count: Int { records.count }

    func touch(_ range: Range<Int>) -> UInt64 { session.method.touch(records, range) }

    func digest(into digester: inout RecordDigester) {
        for record in records {
            record.digest(into: &digester, entity: session.table.entity)
            digester.endRecord()
        }
    }
}
