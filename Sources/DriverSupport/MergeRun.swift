import BenchHarness
import Dispatch

/// The writers of a merge phase, each on its own thread, and the queue that merges every save.
///
/// ```swift
/// let run = MergeRun(plan, mergeQueue: mergeQueue)
/// try run.run { save in
///     let saved = try monitor.operation { try writer.save(save) }
///     run.merge { try mirror.merge(saved) }
/// }
/// ```
public final class MergeRun: Sendable {
    private let plan: MergePlan
    private let mergeQueue: DispatchQueue
    private let unfinished = DispatchGroup()
    private let failure = FirstFailure()

    /// Creates a run of `plan`, whose saves are merged on `mergeQueue`.
    public init(_ plan: MergePlan, mergeQueue: DispatchQueue) {
        self.plan = plan
        self.mergeQueue = mergeQueue
    }

    /// Runs the saves of each writer, and returns when every save is merged.
    ///
    /// - Parameter save: Does one save. It must call ``merge(_:)``, directly or indirectly, before it returns.
    /// - Throws: The first error of a writer or of a merge.
    public func run(save: @escaping @Sendable (MergePlan.Save) throws -> Void) throws {
        plan.startWriters(in: unfinished, until: failure, save: save)
        unfinished.wait()
        try failure.rethrow()
    }

    /// Runs `body` on the merging queue. Call it within a save, so that the save's writer is still running.
    public func merge(_ body: @escaping @Sendable () throws -> Void) {
        mergeQueue.async(group: unfinished) { [failure] in failure.attempt(body) }
    }
}
