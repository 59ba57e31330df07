import Dispatch
import Foundation

/// One asynchronous fetch, from the store to the context's queue.
final class AsynchronousFetch<Object: ManagedObject>: @unchecked Sendable {
    // Unchecked: `collector` is the only variable, and only the context's queue uses it.

    /// Shows the progress, stops the fetch, and receives the objects.
    let result: AsynchronousFetchResult<Object>
    private let request: AsynchronousFetchRequest<Object>
    private let queue: DispatchQueue
    private let executor: FetchExecutor
    /// The limit of the thread that began the fetch.
    private let responseTimeout = ResponseTimeout.milliseconds
    private var collector: ObjectCollector?

    /// The rows that become objects at a time: some hundred microseconds of work.
    private static var slice: Int { 4096 }

    /// Prepares a fetch, on the context's queue.
    init(
        _ request: AsynchronousFetchRequest<Object>, in context: ManagedObjectContext, _ queue: DispatchQueue
    ) throws(StoreError) {
        let resolved = try ResolvedFetch(request.fetchRequest, in: context)
        self.request = request
        self.queue = queue
        result = AsynchronousFetchResult(
            request.fetchRequest, context: context, estimatedCount: request.estimatedResultCount)
        executor = try FetchExecutor(context, resolved, result.control)
    }

    private var context: ManagedObjectContext { executor.context }

    /// Starts the fetch on another thread, and returns at once.
    func start() {
        context.fetchesUnderWay[ObjectIdentifier(result)] = ChangedKeys()
        context.releaseUnusedPrefetches()
        DispatchQueue.global(qos: .userInitiated).async { self.read() }
    }

    /// Reads the rows, on the fetching thread.
    private func read() {
        do throws(StoreError) {
            let rows = try ResponseTimeout.with(milliseconds: responseTimeout) { () throws(StoreError) in
                if request.countsBeforehand, request.estimatedResultCount == 0 {
                    result.progress.totalUnitCount = Int64(try executor.storedCount())
                }
                return try executor.rows()
            }
            queue.async { self.begin(rows) }
        } catch {
            queue.async { self.fail(error) }
        }
    }

    private func begin(_ rows: FetchedRows) {
        collector = ObjectCollector(context, executor.fetch, rows)
        collectSlice()
    }

    /// Makes some objects, then lets other blocks use the queue.
    private func collectSlice() {
        if result.control.isCancelled {
            discard()
            return deliver([])
        }
        collector?.collect(Self.slice)
        if collector?.isDone == false {
            queue.async { self.collectSlice() }
        } else {
            finish()
        }
    }

    private func finish() {
        let changed = context.fetchesUnderWay[ObjectIdentifier(result)]
        do throws(StoreError) {
            let objects = try context.throwingKeptErrors { () throws(StoreError) in
                if let again = try fetchedAgain(changed) { return again }
                return try merged(changed)
            }
            deliver(objects.asserting(Object.self))
        } catch {
            fail(error)
        }
    }

    /// Fetches again, at once, if limit or offset applied to rows of which some are out of date: only the store knows
    /// which others take their places. Nil if that is not so.
    private func fetchedAgain(_ changed: ChangedKeys?) throws(StoreError) -> [ManagedObject]? {
        let plan = executor.fetch.plan
        guard plan.limit > 0 || plan.offset > 0 else { return nil }
        let fetch = try ResolvedFetch(request.fetchRequest, in: context)
        let isOutdated = changed?.isEmpty == false || fetch.pendingCount > executor.fetch.pendingCount
        guard isOutdated else { return nil }
        collector = nil
        return try FetchExecutor(context, fetch, result.control).objectsWithRelated()
    }

    /// Merges what changed meanwhile into the objects.
    private func merged(_ changed: ChangedKeys?) throws(StoreError) -> [ManagedObject] {
        // Only after the last slice, and in one step: otherwise a context that is reset often would never deliver.
        if changed?.wasReset == true { collector?.startOver() }
        var overlay = PendingChangesOverlay(context, executor.fetch, collector?.objects ?? [])
        // The overlay now has the only reference to the array, and changes it without a copy.
        collector = nil
        if let changed { overlay.note(changed) }
        let objects = try overlay.finish()
        try executor.prefetch(for: objects)
        return objects
    }

    /// Releases the objects of a cancelled fetch on another thread: a million of them take a while.
    private func discard() {
        // Unsafe: the closure has the only copy, and objects may be released on any thread.
        nonisolated(unsafe) let discarded = collector
        collector = nil
        DispatchQueue.global(qos: .utility).async { _ = discarded }
    }

    private func fail(_ error: StoreError) {
        if error.code != .cancelled, !result.control.isCancelled { result.operationError = error }
        deliver([])
    }

    private func deliver(_ objects: [Object]) {
        context.fetchesUnderWay[ObjectIdentifier(result)] = nil
        collector = nil
        let cancelled = result.close()
        result.finalResult = cancelled ? [] : objects
        result.finishProgress(cancelled ? 0 : objects.count)
        request.completionBlock?(result)
        context.processPendingChanges()
    }
}
