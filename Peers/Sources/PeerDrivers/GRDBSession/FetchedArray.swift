import BenchHarness

/// Records in an array, nothing around them.
struct FetchedArray<Record: PeerRecord>: FetchedRecords {
    let records: [Record]
    let entity: EntitySpec

    var count: Int { records.count }

    func digest(into digester: inout RecordDigester) {
        for record in records {
            record.digest(into: &digester, entity: entity)
            digester.endRecord()
        }
    }
}
