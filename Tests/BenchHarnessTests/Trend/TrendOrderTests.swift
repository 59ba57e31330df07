import Foundation
import Testing

@testable import BenchHarness

/// What the manifests beside the files are for.
@Suite struct TrendOrderTests {
    private static let row = TrendFixture.row()

    @Test func runsAreOrderedByWhenTheyBegan() throws {
        let runs = try [
            TrendFixture.run("late", Self.row, day: 9), TrendFixture.run("early", Self.row, day: 2),
            TrendFixture.run("middle", Self.row, day: 5),
        ]
        #expect(try Trend(runs).runs.map(\.file) == ["early.csv", "middle.csv", "late.csv"])
    }

    @Test func withoutAManifestEachTheOrderIsTheGivenOne() throws {
        let runs = try [TrendFixture.run("late", Self.row, day: 9), TrendFixture.run("early", Self.row)]
        let trend = try Trend(runs)
        #expect(trend.runs.map(\.file) == ["late.csv", "early.csv"])
        #expect(trend.remarks.first == "not every file has a manifest: files are in the order given")
    }

    @Test func aRunIsLabelledByItsDayAndCommit() throws {
        let commit = "0123456789abcdef"
        let clean = try TrendFixture.run("a", Self.row, day: 1, commit: commit)
        let dirty = try TrendFixture.run("a", Self.row, day: 1, commit: commit) { $0.git?.isDirty = true }
        #expect(TrendRun(clean).label == "1970-01-02 0123456")
        #expect(TrendRun(dirty).label == "1970-01-02 0123456-dirty")
        #expect(TrendRun(try TrendFixture.run("a", Self.row, day: 1)).label == "1970-01-02 00:00")
        #expect(TrendRun(TrendFixture.run("a", Self.row)).label == "a.csv")
    }

    @Test func differentMachinesAreComparedByTheBaseline() throws {
        let rows = (TrendFixture.row("mine", 30, statements: 4), TrendFixture.row("sqlite", 20, statements: 4))
        let slow = (TrendFixture.row("mine", 60, statements: 6), TrendFixture.row("sqlite", 40, statements: 4))
        let runs = try [
            TrendFixture.run("a", rows.0, rows.1, day: 1),
            TrendFixture.run("b", slow.0, slow.1, day: 2) { $0.host.cpuModel = "Another" },
        ]
        let trend = try Trend(runs)
        #expect(trend.relativeTo == "sqlite")
        #expect(trend.remarks.first?.contains("different machines") == true)
        let durations = trend.series.filter { $0.metric.name == "duration" }
        #expect(durations.map(\.key.driver) == ["mine"])
        #expect(durations.first?.points.map { $0?.value } == [1.5, 1.5])
        // Counters are the same on every machine.
        let counters = trend.series.filter { $0.metric.name == "statements" }
        #expect(counters.first?.points.map { $0?.value } == [4, 6])
    }

    @Test func memoryIsComparedInWholeGibibytes() throws {
        let runs = try [
            TrendFixture.run("a", Self.row, day: 1),
            TrendFixture.run("b", Self.row, day: 2) { $0.host.memoryBytes += 4_096 },
        ]
        #expect(try Trend(runs).relativeTo == nil)
    }

    @Test func differentMachinesWithoutABaselineStayAbsolute() throws {
        let runs = try [
            TrendFixture.run("a", Self.row, day: 1),
            TrendFixture.run("b", Self.row, day: 2) { $0.host.cores += 1 },
        ]
        let trend = try Trend(runs)
        #expect(trend.relativeTo == nil && !trend.series.isEmpty)
        #expect(
            trend.remarks.first == "the runs come from different machines, and none has sqlite or postgres to divide by"
        )
    }

    @Test func ratiosAreOfTheSameRepetition() throws {
        let run = TrendFixture.run(
            "a", TrendFixture.row("base", 10), TrendFixture.row("base", 100, repetition: 2),
            TrendFixture.row("mine", 300, repetition: 2), TrendFixture.row("mine", 30),
            TrendFixture.row("mine", 7, repetition: 3))
        let without = TrendFixture.run("b", TrendFixture.row("mine", 7))
        let trend = try Trend([run, without], relativeTo: "base")
        #expect(trend.series.first?.points.map { $0?.value } == [3, nil])
        #expect(trend.remarks.contains("b.csv: no base to divide by"))
    }
}
