import Dispatch
import Foundation

/// Asynchronous fetching: the store is read on another thread, objects are made on the context's queue in slices, so
/// that it is never held for longer than a frame.
extension ManagedObjectContext {
    /// Begins to fetch and returns at once; the request's completion block is called on the context's queue with the
    /// same object.
    ///
    /// The context may insert, change, delete and save meanwhile: what is delivered reflects it.
    ///
    /// - Throws: `StoreError` with `concurrency` on a confinement context, before anything is run; with
    ///   `invalidRequest` for a request that asks for something other than objects; as ``fetch(_:)`` for a request that
    ///   makes no sense.
    @discardableResult
    public func execute<Object: ManagedObject>(
        _ request: AsynchronousFetchRequest<Object>
    ) throws(StoreError) -> AsynchronousFetchResult<Object> {
        checkQueue()
        guard let queue = executor.queue else {
            throw StoreError(
                .concurrency,
                "\(concurrencyType.rawValue) context \(self) cannot support asynchronous fetch request \(request) with fetch "
                    + "request <FetchRequest: \(request.address)> \(request.fetchRequest)")
        }
        guard request.fetchRequest.resultType == .managedObject else {
            throw StoreError(
                .invalidRequest,
                "an asynchronous fetch hands back objects; execute a \(request.fetchRequest.resultType.rawValue) request itself"
            )
        }
        let resolved = try resolve(request.fetchRequest)
        let result = AsynchronousFetchResult(
            request.fetchRequest, context: self, estimatedCount: request.estimatedResultCount)
        fetchesUnderWay[ObjectIdentifier(result)] = ChangedKeys()
        let fetch = AsynchronousFetch(
            context: self, queue: queue, request: request, resolved: resolved, result: result, store: try requireStore()
        )
        DispatchQueue.global(qos: .userInitiated).async { fetch.run() }
        return result
    }

    /// Fetches asynchronously and hands over what `body` makes of the objects, on the context's queue.
    ///
    /// Cancelling the task cancels the fetch.
    ///
    /// - Throws: what `execute` throws, the error of the fetch, `CancellationError`, and what `body` throws.
    public func fetch<Object: ManagedObject, Result: Sendable>(
        _ request: FetchRequest<Object>, _ body: @escaping @Sendable ([Object]) throws -> Result
    ) async throws -> Result {
        guard executor.queue != nil else {
            throw StoreError(.concurrency, "\(self) has no queue to fetch asynchronously")
        }
        let progress = Progress(totalUnitCount: 1)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let asynchronous = AsynchronousFetchRequest(fetchRequest: request) { result in
                    continuation.resume(with: Swift.Result { try result.delivered(to: body) })
                }
                perform {
                    progress.becomeCurrent(withPendingUnitCount: 1)
                    defer { progress.resignCurrent() }
                    do { try self.execute(asynchronous) } catch { continuation.resume(throwing: error) }
                }
            }
        } onCancel: {
            progress.cancel()
        }
    }
}

extension AsynchronousFetchResult {
    fileprivate func delivered<Result>(to body: ([Object]) throws -> Result) throws -> Result {
        if let operationError { throw operationError }
        if isCancelled { throw CancellationError() }
        return try body(finalResult ?? [])
    }
}

/// One asynchronous fetch on its way from the store to the context's queue.
private final class AsynchronousFetch<Object: ManagedObject>: @unchecked Sendable {
    // Unchecked: runs on the fetching thread first and on the context's queue after, never on both.
    private let context: ManagedObjectContext
    private let queue: DispatchQueue
    private let request: AsynchronousFetchRequest<Object>
    private let resolved: ResolvedFetch
    private let result: AsynchronousFetchResult<Object>
    private let store: any PersistentStore
    private var rows = FetchedRows()
    private var collector: ObjectCollector?

    /// Some hundred microseconds of work.
    private static var slice: Int { 4096 }

    init(
        context: ManagedObjectContext, queue: DispatchQueue, request: AsynchronousFetchRequest<Object>,
        resolved: ResolvedFetch, result: AsynchronousFetchResult<Object>, store: any PersistentStore
    ) {
        self.context = context
        self.queue = queue
        self.request = request
        self.resolved = resolved
        self.result = result
        self.store = store
    }

    /// On the fetching thread.
    func run() {
        do {
            if request.countsBeforehand, request.estimatedResultCount == 0 {
                result.progress.totalUnitCount = Int64(try store.count(resolved.plan))
            }
            let moment = context.rowCache.now()
            rows = try store.rows(resolved.storePlan, result.control)
            rows.moment = moment
            queue.async { self.begin() }
        } catch {
            queue.async { self.fail(error) }
        }
    }

    private func begin() {
        collector = ObjectCollector(context, resolved, rows)
        rows = FetchedRows()
        collectSlice()
    }

    /// Makes some objects, then lets others have the queue.
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
        // Not before all is collected, and then in one go: otherwise a context that is reset often would never deliver.
        if changed?.wasReset == true { collector?.startOver() }
        do throws(StoreError) {
            let objects = try context.throwingKeptErrors { () throws(StoreError) in
                collector?.minds(changed)
                return try collector?.finished(changed: changed?.keys(of: resolved.plan.source.rootIndex) ?? [])
            }
            deliver((objects ?? []).asserting(Object.self))
        } catch {
            fail(error)
        }
    }

    /// Lets go of objects made in vain on another thread: a million take a while to die.
    private func discard() {
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
