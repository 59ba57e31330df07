import Testing

@testable import BenchHarness

@Suite struct MovedCounterTests {
    private func rows(_ count: Int = 5, _ change: (inout ResultRow, Int) -> Void) -> [ResultRow] {
        (0..<count).map { index in
            var row = ResultRow()
            change(&row, index)
            return row
        }
    }

    private func texts(_ base: [ResultRow], _ new: [ResultRow]) -> [String] {
        MovedCounter.all(from: base, to: new).map(\.text)
    }

    @Test func exactCountersComeFirstAndTheLargestChangeNext() {
        let base = rows { row, index in
            (row.counters.statements, row.faultsMinor, row.switchesVoluntary) = (5, 100 + index, 10 + index)
        }
        let new = rows { row, index in
            (row.counters.statements, row.faultsMinor, row.switchesVoluntary) = (6, 200 + index, 50 + index)
        }
        #expect(
            texts(base, new) == [
                "statements 5 → 6 (+20.0 %)", "switches voluntary 12 → 52 (+333.3 %)",
                "faults minor 102 → 202 (+98.0 %)",
            ])
    }

    @Test func whatVariesMovesOnlyWhereBothSidesLieApart() {
        let base = rows { $0.faultsMinor = 100 + $1 }
        #expect(texts(base, rows { $0.faultsMinor = 104 + $1 }).isEmpty)
        #expect(texts(base, rows { $0.faultsMinor = 105 + $1 }) == ["faults minor 102 → 107 (+4.9 %)"])
        #expect(texts(base, rows { $0.faultsMinor = 90 + $1 }) == ["faults minor 102 → 92 (-9.8 %)"])
    }

    @Test func fewRepetitionsAndSmallChangesSayNothingOfWhatVaries() {
        #expect(texts(rows(4) { row, _ in row.faultsMinor = 100 }, rows(4) { row, _ in row.faultsMinor = 200 }).isEmpty)
        let base = rows { row, _ in row.faultsMinor = 10_000 }
        #expect(texts(base, rows { row, _ in row.faultsMinor = 10_050 }).isEmpty)
        let one = [0, 1].map { step in rows(1) { row, _ in row.counters.statements = 1_000 + step } }
        #expect(texts(one[0], one[1]) == ["statements 1,000 → 1,001 (+0.1 %)"])
    }

    @Test func whatBeganHasNoRatioAndFewBytesKeepTheirDigits() {
        let base = rows { row, _ in (row.counters.syncs, row.writeBytes) = (0, 4_096) }
        let new = rows { row, _ in (row.counters.syncs, row.writeBytes) = (3, 8_192) }
        #expect(texts(base, new) == ["fsyncs 0 → 3", "written 4,096 → 8,192 bytes (+100.0 %)"])
    }

    @Test func timesInstructionsAndTheMachineAreNoCounters() {
        let columns = Set(MovedCounter.figures.map(\.column))
        #expect(columns.isSuperset(of: ["statements", "pages_written", "log_written_bytes", "faults_minor", "fsyncs"]))
        let others = ["instructions", "cpu_ns", "duration_ns", "load_average_1m", "rss_before_bytes"]
        #expect(columns.isDisjoint(with: others))
    }
}
