import Testing

@testable import BenchHarness

@Suite struct ShardRuleTests {
    /// A row in which each column has a value.
    private func filledRow() -> ResultRow {
        var (row, texts) = (ResultRow(), TextPool())
        for column in ResultColumn.all {
            let isSet = ["7", "true", "ok", "some"].contains { text in
                Array(text.utf8).withUnsafeBufferPointer { column.set(&row, $0, &texts) }
            }
            #expect(isSet && !column.text(row).isEmpty, "\(column.name)")
        }
        return row
    }

    private func merged(_ rows: [ResultRow]) -> ResultRow {
        var figures = OperationFigures()
        figures.record(response: 5, service: 3, isMissing: false)
        return MergedRow(load: "l", rows: rows, kinds: [.read: figures], limits: ["all": LimitSpec(errors: 0)]).row
    }

    @Test func noColumnOfALoadIsEmptyUnlessItsRuleSaysSo() {
        let merged = merged([filledRow(), filledRow()])
        for column in ResultColumn.all {
            #expect(column.text(merged).isEmpty == (column.merge == nil), "\(column.name)")
        }
        #expect(merged.run == "l" && merged.latencyP99 == 5 && merged.serviceMax == 3 && merged.limits == "met")
    }

    @Test func shardsAddUpOrTheWorstOfThemCounts() {
        var (one, other) = (filledRow(), filledRow())
        (other.cpu, other.databaseBytes, other.ratePerSecond, other.counters.statements) = (9, 9, 1.5, 0)
        (other.keepsSettings, other.contaminated, other.status, other.error) = (false, nil, .interrupted, "")
        one.error = "stopped"
        let merged = merged([one, other])
        #expect(merged.cpu == 16 && merged.databaseBytes == 9 && merged.ratePerSecond == 8.5)
        #expect(merged.counters.statements == 7 && merged.throughput == 14 / (7 / 1e9))
        #expect(merged.keepsSettings == false && merged.contaminated == true)
        #expect(merged.status == .interrupted && merged.error == "shard 0: stopped" && merged.limits.isEmpty)
    }

    @Test func aSumLacksWhatAShardLacks() {
        var other = filledRow()
        (other.cpu, other.operations, other.databaseBytes, other.verified) = (nil, nil, nil, nil)
        let merged = merged([filledRow(), other])
        #expect(merged.cpu == nil && merged.operations == nil && merged.throughput == nil)
        #expect(merged.databaseBytes == 7 && merged.verified == nil && merged.limits.isEmpty)
    }
}
