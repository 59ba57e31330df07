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
        let table = try ResultTable(csv: "scenario,driver,phase,colour\ns,d,p,red\n", file: "t.csv")
        #expect(table.rows.map(\.driver) == ["d"])
    }

    @Test(arguments: [
        ("", "an empty file"), ("a,b\n", "no column \"scenario\""),
        ("scenario,driver,phase\ns,d\n", "row 2: 2 fields; expected 3"),
        ("scenario,driver,phase,statements\ns,d,p,many\n", "\"many\" is no value for column \"statements\""),
    ])
    func badFilesAreRefusedWithTheirPlace(csv: String, message: String) {
        let error = #expect(throws: RunError.self) { try ResultTable(csv: csv, file: "t.csv") }
        #expect(error?.description.contains(message) == true)
    }
}
