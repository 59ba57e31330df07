import BenchHarness
import Dispatch
import Foundation

/// Writers that save at once, each on a thread of its own, and a queue that merges every save.
final class MergeRun<Method: Technique>: Sendable {
    private let plan: MergePlan
    private let changes: [RecordChange]
    private let writer: RecordWriter<Method>
    /// Belongs to the queue.
    private let mirror: RecordMirror<Method>
    private let mergeQueue: DispatchQueue
    private let monitor: PhaseMonitor
    private let unfinished = DispatchGroup()
    private let failure = FirstFailure()

    init(
        _ plan: MergePlan, _ changes: [RecordChange], writer: RecordWriter<Method>, mirror: RecordMirror<Method>,
        mergeQueue: DispatchQueue, monitor: PhaseMonitor
    ) {
        self.plan = plan
        self.changes = changes
        self.writer = writer
        self.mirror = mirror
        self.mergeQueue = mergeQueue
        self.monitor = monitor
    }

    /// Returns when every save was merged, or throws the first failure.
    func run() throws {
        plan.startWriters(in: unfinished, until: failure, save: perform)
        unfinished.wait()
        try failure.rethrow()
    }

    private func perform(_ save: MergePlan.Save) throws {
        let saved = try monitor.operation { try writer.save(save, changes) }
        mergeQueue.async(group: unfinished) { [self] in
            failure.attempt { try mirror.merge(saved) }
        }
    }
}
