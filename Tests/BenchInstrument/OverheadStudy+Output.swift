import BenchHarness
import Foundation

extension OverheadStudy {
    /// Returns the study as tables; `watch` is the cost of being watched, `wakeUps` the lag of the starts in open
    /// loops.
    public func text(_ watch: WatchCost, _ wakeUps: WakeUpLag, isColoured: Bool, width: Int? = nil) -> String {
        var table = TextTable(
            [
                .name("phase"), .right("operations", dropped: 4), .right("no work"), .right("least", dropped: 1),
                .right("an operation", dropped: 5), .right("waited", dropped: 3), .right("reported more"),
                .right("least", dropped: 2), .right("memory of no work", dropped: 6),
                .right("more than \(Figure.bytes(Double(known.allocatedBytes)))", dropped: 7),
            ])
        for phase in phases { table.append(TextTable.Row(cells: Self.cells(phase))) }
        return table.text(isColoured: isColoured, width: width) + "\n" + watch.text + "\n" + wakeUps.text + "\n"
    }

    private static func cells(_ phase: Phase) -> [String] {
        [
            phase.name, Figure.count(phase.operations), phase.nothing.map { Figure.duration($0.median) } ?? "",
            phase.nothing.map { Figure.duration($0.min) } ?? "", phase.perOperation.map(Figure.duration) ?? "",
            Figure.duration(Double(phase.waited)),
            phase.excess.map { Figure.duration($0.median) } ?? "",
            phase.excess.map { Figure.duration($0.min) } ?? "",
            phase.memoryOfNothing.map { Figure.bytes($0.median) } ?? "",
            phase.memoryExcess.map { Figure.bytes($0.median) } ?? "",
        ]
    }

    /// Returns the study as JSON.
    public func json(_ watch: WatchCost, _ wakeUps: WakeUpLag) throws -> String {
        String(decoding: try JSONFile.text(Document(self, watch, wakeUps)), as: UTF8.self)
    }

    private struct Document: Encodable {
        struct Phase: Encodable {
            let phase: String
            let kind: String
            let operations: Int
            let threads: Int
            let nothingNs: SampleFigures?
            let nothingPerOperationNs: Double?
            let waitedNs: Int
            let reportedMoreNs: SampleFigures?
            let reportedMoreShare: Double?
            let nothingMemoryBytes: SampleFigures?
            let reportedMoreMemoryBytes: SampleFigures?
        }

        let version = 1
        let known: KnownWork
        let phases: [Phase]
        let watch: WatchCost
        let wakeUps: WakeUpLag

        init(_ study: OverheadStudy, _ watch: WatchCost, _ wakeUps: WakeUpLag) {
            known = study.known
            self.watch = watch
            self.wakeUps = wakeUps
            phases = study.phases.map { phase in
                Phase(
                    phase: phase.name, kind: phase.kind, operations: phase.operations, threads: phase.lanes,
                    nothingNs: phase.nothing.map(SampleFigures.init), nothingPerOperationNs: phase.perOperation,
                    waitedNs: phase.waited, reportedMoreNs: phase.excess.map(SampleFigures.init),
                    reportedMoreShare: phase.excessShare,
                    nothingMemoryBytes: phase.memoryOfNothing.map(SampleFigures.init),
                    reportedMoreMemoryBytes: phase.memoryExcess.map(SampleFigures.init))
            }
        }
    }
}
