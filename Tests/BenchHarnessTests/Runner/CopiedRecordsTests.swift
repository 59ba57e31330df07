import Testing

@testable import BenchHarness

/// What must be in a store that is a copy of a file.
@Suite struct CopiedRecordsTests {
    private let generator = RecordGenerator(entity: FakeDriver.scenario.entity, seed: 1)

    private func store(_ values: [Int64], versions: [Int]? = nil, problems: Set<String> = []) -> ExpectedStore {
        let records = zip(values, versions ?? values.map { _ in 1 }).map {
            StoredRecord(values: [.int64($0)], version: $1)
        }
        return ExpectedStore(
            CopiedRecords(records: records, others: RecordDigest(), problems: problems), generator: generator)
    }

    private func digest(_ values: [Int64]) -> RecordDigest {
        var digester = RecordDigester()
        for value in values { digester.addRecord([.int64(value)]) }
        return digester.digest
    }

    @Test func theRecordsAreThoseOfTheFile() {
        var store = store([7, 9, 9])
        #expect(store.digest().unordered == digest([9, 7, 9]).unordered)
        store.apply(
            UpdateWork(
                mode: .batch, set: [AttributeChange(attribute: "n", operation: .add(1))],
                filter: .compare(key: "n", .greater, .int64(8))))
        #expect(store.digest().unordered == digest([7, 10, 10]).unordered)
        #expect(store.count(matching: .compare(key: "n", .equal, .int64(7))) == 1)
    }

    @Test func versionsGoOnFromThoseOfTheFile() {
        func sum(_ records: [(value: Int64, version: Int)]) -> VersionSum {
            var scan = StoreScan()
            for record in records {
                scan.values.add(record.value)
                scan.endRecord(version: record.version)
            }
            return scan.versions
        }
        var store = store([7, 9], versions: [5, 1])
        #expect(store.content().rule(of: sum([(7, 5), (9, 1)])) != nil)
        #expect(store.content().rule(of: sum([(7, 1), (9, 1)])) == nil)
        store.apply(UpdateWork(mode: .batch, set: [AttributeChange(attribute: "n", operation: .add(1))]))
        #expect(store.content().rule(of: sum([(8, 6), (10, 2)])) != nil)
    }

    @Test func onlyNewErrorsOfTheStoreCount() throws {
        let store = store([7], problems: ["ZITEM has an index of ZFOLDER"])
        var scan = StoreScan()
        scan.values.add(Int64(7))
        scan.endRecord(version: 1)
        #expect(store.knownProblems == ["ZITEM has an index of ZFOLDER"])
        #expect(ExpectedStore(generator: generator).knownProblems.isEmpty)
    }
}
