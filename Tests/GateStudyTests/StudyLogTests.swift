import Foundation
import TestSupport
import Testing

@testable import GateStudy

@Suite struct StudyLogTests {
    private func record(_ run: String, _ phase: String, _ verdict: String) -> StudyRecord {
        let run = StudyRun(
            id: run, started: "2026-11-26T03:20:00Z", commit: "017d88a5",
            condition: StudyCondition(load: .periodic, variant: .slower(Slowdown.all[0])), layouts: "7",
            processor: "A Processor", slowed: "seed", seconds: 8)
        return StudyRecord(
            run, phase: phase, metric: "cpu", verdict: verdict, ratio: 1.0312, launchRatios: [1.0307, 1.0312, 1.0319])
    }

    @Test func sittingsAddUpInOneFile() throws {
        let folder = try TemporaryDirectory()
        let log = StudyLog(path: folder.file("study.csv").path)
        #expect(try log.records().isEmpty)
        let (first, second) = (record("a", "seed", "regressed"), record("b", "seed", "inconclusive"))
        try log.append([first])
        try log.append([second])
        #expect(try log.records() == [first, second])
    }

    @Test func anotherFileIsRefused() throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("study.csv").path
        try Data("a,b\n".utf8).write(to: URL(fileURLWithPath: path))
        #expect(throws: StudyError.self) { try StudyLog(path: path).records() }
        try Data((StudyRecord.header + "\na,,,,,managed,none,+3%,seed,seed,cpu,regressed,1.0312,2,8.0,1.0312\n").utf8)
            .write(to: URL(fileURLWithPath: path))
        #expect(throws: StudyError.self) { try StudyLog(path: path).records() }
        try Data((StudyRecord.header + "\nbroken\n").utf8).write(to: URL(fileURLWithPath: path))
        #expect(throws: StudyError.self) { try StudyLog(path: path).records() }
    }

    @Test func aRunIsRightIfEveryPhaseIsCalledWhatItIs() {
        #expect(StudyVerdict([record("a", "seed", "regressed"), record("a", "merge", "unchanged")]) == .right)
        #expect(StudyVerdict([record("a", "seed", "regressed"), record("a", "merge", "inconclusive")]) == .open)
        #expect(StudyVerdict([record("a", "seed", "unchanged"), record("a", "merge", "unchanged")]) == .wrong)
        #expect(StudyVerdict([record("a", "seed", "regressed"), record("a", "merge", "improved")]) == .wrong)
    }

    @Test func aSlowerPhaseIsCaughtByOneOfItsFigures() {
        #expect(StudyVerdict([record("a", "seed", "unchanged"), record("a", "seed", "regressed")]) == .right)
        #expect(StudyVerdict([record("a", "seed", "unchanged"), record("a", "seed", "inconclusive")]) == .open)
        #expect(StudyVerdict([record("a", "seed", "improved"), record("a", "seed", "regressed")]) == .wrong)
    }

    @Test func theTableHasEachConditionAndAllLoadsTogether() {
        var records = [record("a", "seed", "regressed"), record("b", "seed", "regressed")]
        #expect(rows(records).map { $0.prefix(4) } == [["+3%", "periodic", "2", "2"]])
        records[1].run.condition = StudyCondition(load: .none, variant: .slower(Slowdown.all[0]))
        #expect(
            rows(records).map { $0.prefix(4) } == [
                ["+3%", "none", "1", "1"], ["+3%", "periodic", "1", "1"], ["+3%", "any", "2", "2"],
            ])
    }

    /// The cells of the table below its head.
    private func rows(_ records: [StudyRecord]) -> [[String]] {
        StudyTable(records: records).text.split(separator: "\n").dropFirst(2).map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        }
    }
}
