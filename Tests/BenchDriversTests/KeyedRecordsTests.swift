import Testing

@testable import DriverSupport

@Suite struct KeyedRecordsTests {
    private func records(_ count: Int) -> KeyedRecords<Int, Int> {
        var records = KeyedRecords<Int, Int>()
        for key in 0..<count { records[key] = key * 10 }
        return records
    }

    private func read(_ records: inout KeyedRecords<Int, Int>, _ positions: Range<Int>) -> [Int] {
        var found: [Int] = []
        records.forEach(at: positions) { found.append($0) }
        return found
    }

    @Test func slicesTogetherAreEveryRecordOnce() {
        var records = records(1_000)
        let all = read(&records, 0..<1_000)
        #expect(all.sorted() == (0..<1_000).map { $0 * 10 })
        let slices = stride(from: 0, to: 1_000, by: 300).flatMap { read(&records, $0..<min($0 + 300, 1_000)) }
        #expect(slices == all)
        #expect(read(&records, 700..<800) == Array(all[700..<800]))
    }

    @Test func aSliceAfterAChangeHasTheRecordsOfThen() {
        var records = records(10)
        _ = read(&records, 0..<5)
        for key in 0..<9 { records[key] = nil }
        #expect(read(&records, 0..<1) == [90] && records.count == 1)
        #expect(read(&records, 1..<1).isEmpty)
    }
}
