import BenchHarness
import Dispatch

/// The writers of a merge phase, each on a thread of its own, and the queue on which every save is merged.
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

    /// Lets each writer do its saves, and returns when every save was merged.
    ///
    /// - Parameter save: Does one save. It calls ``merge(_:)`` before it returns, itself or through what it calls.
    /// - Throws: The first error of a writer or of a merge.
    public func run(save: @escaping @Sendable (MergePlan.Save) throws -> Void) throws {
        plan.startWriters(in: unfinished, until: failure, save: save)
        unfinished.wait()
        try failure.rethrow()
    }

    /// Does `body` on the merging queue. To be called within a save, so that its writer is not finished yet.
    public func merge(_ body: @escaping @Sendable () throws -> Void) {
        mergeQueue.async(group: unfinished) { [failure] in failure.attempt(body) }
    }
}
