import Dispatch
import Foundation

/// Asynchronous fetching. Another thread reads the store; the context's queue makes the objects in slices, so that a
/// fetch never occupies the queue for longer than a frame.
extension ManagedObjectContext {
    /// Starts a fetch and returns at once. The request's completion block is called on the context's queue with the
    /// returned result.
    ///
    /// The context may insert, change, delete and save meanwhile; the delivered objects reflect this.
    ///
    /// - Throws: `StoreError` with `concurrency` on a confinement context, before anything runs; with `invalidRequest`
    ///   for a request of anything but objects; the errors of ``fetch(_:)`` for an invalid request.
    @discardableResult
    public func execute<Object: ManagedObject>(
        _ request: AsynchronousFetchRequest<Object>
    ) throws(StoreError) -> AsynchronousFetchResult<Object> {
        checkQueue()
        guard let queue = executor.queue else {
            throw StoreError(
                .concurrency,
                "\(concurrencyType.rawValue) context \(self) cannot support asynchronous fetch request \(request) with fetch "
                    + "request <FetchRequest: \(request.address)> \(request.fetchRequest); make the context with "
                    + ".privateQueue or .mainQueue")
        }
        guard request.fetchRequest.resultType == .managedObject else {
            throw StoreError(
                .invalidRequest,
                "an asynchronous fetch returns objects; execute the \(request.fetchRequest.resultType.rawValue) "
                    + "request directly"
            )
        }
        let fetch = try AsynchronousFetch(request, in: self, queue)
        fetch.start()
        return fetch.result
    }

    /// Fetches asynchronously, passes the objects to `body` on the context's queue, and returns the result of `body`.
    ///
    /// Cancelling the task cancels the fetch.
    ///
    /// - Throws: the errors of `execute`, of the fetch and of `body`; `CancellationError` after a cancellation.
    public func fetch<Object: ManagedObject, Result: Sendable>(
        _ request: FetchRequest<Object>, _ body: @escaping @Sendable ([Object]) throws -> Result
    ) async throws -> Result {
        guard executor.queue != nil else {
            throw StoreError(
                .concurrency,
                "\(self) has no queue to fetch asynchronously on; make it with .privateQueue or .mainQueue")
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
