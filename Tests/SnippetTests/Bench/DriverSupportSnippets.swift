import BenchHarness
import Dispatch
import DriverSupport
import Foundation
import Locking
import Testing

/// What the documentation of `DriverSupport` shows, on a store that is an array.
@Suite struct DriverSupportSnippets {
    private struct MyRows: FetchedRecords {
        var values: [Int64] = []
        var count: Int { values.count }
        func digest(_ positions: Range<Int>, into digester: inout RecordDigester) {}
    }

    private struct MyConnection: Sendable {
        let interrupts = Locked(0)
        func interrupt() { interrupts.withLock { $0 += 1 } }
    }

    private final class MySession: Sendable {
        let queue = DispatchQueue(label: "mine")
        let connection = MyConnection()

        private var find: @Sendable (FetchWork, (Int) throws -> Void) throws -> MyRows {
            { _, progress in
                try progress(3)
                return MyRows(values: [1, 2, 3])
            }
        }

        // snippet.AsynchronousFetch
        func fetchAsynchronously(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
            try AsynchronousFetch(none: MyRows(), queue: queue, monitor: monitor)
                .run(interrupt: { [connection] in connection.interrupt() }) { [find] progress in
                    try find(work, progress)
                }
        }
        // snippet.end
    }

    @Test func asynchronousFetch() throws {
        let session = MySession()
        let found = try session.fetchAsynchronously(FetchWork(mode: .async), monitor: PhaseMonitor())
        #expect(found.count == 3)
    }

    @Test func cancelledFetchHasNoRecordsAndInterruptsTheStore() throws {
        let session = MySession()
        let monitor = PhaseMonitor(clock: MonotonicClock(), cancelAfterRecords: 2)
        let found = try session.fetchAsynchronously(FetchWork(mode: .async), monitor: monitor)
        #expect(found.count == 0)
        #expect(session.connection.interrupts.value == 1)
    }

    private struct MyWriter: Sendable {
        func save(_ save: MergePlan.Save) throws -> SavedKeys {
            SavedKeys(written: [save.inserts.map(Int64.init)], deleted: save.deletes.map(Int64.init))
        }
    }

    @Test func mergeRun() throws {
        let writer = MyWriter()
        let mirror = RecordMirror<Int64>(key: { $0 }, digest: { $1.add($0) }, reading: { $0 })
        try mirror.load([7])
        let mergeQueue = DispatchQueue(label: "merging")
        let monitor = PhaseMonitor()
        let saves = [
            MergePlan.Save(inserts: 10..<12, changes: 0..<0, deletes: 7..<8),
            MergePlan.Save(inserts: 12..<15, changes: 0..<0, deletes: 0..<0),
        ]
        let plan = MergePlan(set: [], writers: saves.map { [$0] })
        // snippet.MergeRun
        let run = MergeRun(plan, mergeQueue: mergeQueue)
        try run.run { save in
            let saved = try monitor.operation { try writer.save(save) }
            run.merge { try mirror.merge(saved) }
        }
        // snippet.end
        #expect(mirror.count == 5)
    }

    @Test func firstErrorOfAMergeEndsTheRun() {
        let plan = MergePlan(
            set: [], writers: [[MergePlan.Save(inserts: 0..<1, changes: 0..<0, deletes: 0..<0)]])
        let run = MergeRun(plan, mergeQueue: DispatchQueue(label: "merging"))
        #expect(throws: CancellationError.self) {
            try run.run { _ in run.merge { throw CancellationError() } }
        }
    }
}
