import Testing

@testable import BenchHarness

@Suite struct ResultTableTests {
    private let header = CSV.line(ResultColumn.all.map(\.name))

    private func row() -> ResultRow {
        var row = ResultRow()
        (row.run, row.scenario, row.driver, row.phase) = ("r", "s", "sqlite", "fetch")
        row.repetition = 3
        row.error = "a \"quoted\", long\nstory"
        row.durationNanoseconds = 12
        row.throughput = 0.125
        row.contaminated = false
        row.counters.statements = 0
        return row
    }

    @Test func rowsSurviveARoundTrip() throws {
        let line = CSV.line(ResultColumn.all.map { $0.text(row()) })
        #expect(try ResultTable(csv: header + line, file: "t.csv").rows == [row()])
    }

    @Test func missingIsEmptyAndZeroIsZero() throws {
        let fields = Dictionary(uniqueKeysWithValues: ResultColumn.all.map { ($0.name, $0.text(row())) })
        #expect(fields["vm_steps"] == "")
        #expect(fields["statements"] == "0")
        #expect(fields["verified"] == "")
    }

    @Test func columnNamesAreUnique() {
        #expect(Set(ResultColumn.all.map(\.name)).count == ResultColumn.all.count)
    }

    @Test func columnsOfLaterVersionsArePassedOver() throws {
        let csv = "scenario,driver,phase,repetition,status,colour\ns,d,p,1,ok,red\n"
        #expect(try ResultTable(csv: csv, file: "t.csv").rows.map(\.driver) == ["d"])
    }

    @Test func columnsThatAnEarlierVersionDidNotWriteAreMissing() throws {
        let csv = "status,phase,driver,scenario,repetition\nfailed,p,d,s,2\n"
        let row = try #require(ResultTable(csv: csv, file: "t.csv").rows.first)
        #expect(row.status == .failed && row.repetition == 2)
        #expect(row.durationNanoseconds == nil && row.verified == nil && row.mode.isEmpty)
    }

    @Test(arguments: ["0.000", "697460.289", "0.1", "5", "123456789012345678", "1e3", "0.05", "123456789012.345"])
    func decimalsAreReadAsSwiftReadsThem(text: String) {
        var pool = TextPool()
        let value = Array(text.utf8).withUnsafeBufferPointer { Double(csvField: $0, texts: &pool) }
        #expect(value == Double(text))
    }
}
