import Testing

@testable import BenchHarness
@testable import BenchInstrument

@Suite struct WalkCostTests {
    private struct Numbers: FetchedRecords {
        let clock: ManualClock
        let count: Int

        func digest(_ positions: Range<Int>, into digester: inout RecordDigester) {
            clock.advance(by: 3 * positions.count)
            for position in positions {
                digester.add(Int64(position))
                digester.endRecord()
            }
        }
    }

    @Test func everyRecordIsReadInEachReading() throws {
        let clock = ManualClock()
        let cost = try WalkCost.measure(Numbers(clock: clock, count: 10_000), readings: 4, clock: clock)
        #expect(clock.now() == 4 * 30_000)
        #expect(cost.records == 10_000 && cost.readings == 4)
        #expect(cost.medianNs == 30_000 && cost.leastNs == 30_000 && cost.perRecordNs == 3)
    }

    @Test func theMedianIsOfAllReadings() throws {
        let cost = WalkCost(records: 10, durations: [50, 10, 30])
        #expect(cost.medianNs == 30 && cost.leastNs == 10 && cost.perRecordNs == 3)
        #expect(try cost.json().contains("\"per_record_ns\" : 3"))
    }
}
