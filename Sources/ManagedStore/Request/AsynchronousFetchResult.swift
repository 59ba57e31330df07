import Foundation

/// The handle of an asynchronous fetch, which `execute` returns at once and which holds the objects after the fetch.
public final class AsynchronousFetchResult<Object: ManagedObject>: @unchecked Sendable {
    // Unchecked: `finalResult` and `operationError` belong to the context's queue; the rest is Sendable.

    /// The request being fetched.
    public let fetchRequest: FetchRequest<Object>
    /// The context on whose queue the result is delivered.
    public let managedObjectContext: ManagedObjectContext
    /// The progress of the fetch: the records found so far, of an estimated or unknown number.
    ///
    /// Cancelling the progress cancels the fetch. It is a child of the progress that was current when the request was
    /// executed, if there was one.
    public let progress: Progress
    /// The objects after the fetch; empty if it was cancelled or failed, nil before. Read it on the context's queue.
    public internal(set) var finalResult: [Object]?
    /// The error of the fetch; nil after a success or cancellation. Read it on the context's queue.
    public internal(set) var operationError: StoreError?

    let control: FetchControl
    private let observers: ProgressObservers

    init(_ request: FetchRequest<Object>, context: ManagedObjectContext, estimatedCount: Int) {
        fetchRequest = request
        managedObjectContext = context
        // Not `discreteProgress`, which never becomes a child of the current progress.
        progress = Progress(totalUnitCount: estimatedCount > 0 ? Int64(estimatedCount) : -1)
        progress.isCancellable = true
        let observers = ProgressObservers(progress)
        self.observers = observers
        let progress = progress
        // The progress is polled as well: Foundation calls the handler of a cancelled progress later, on another
        // thread.
        control = FetchControl(isAlsoCancelled: { progress.isCancelled }, report: { observers.found($0) })
        let control = control
        progress.cancellationHandler = { control.cancel() }
        // A progress receives no cancellation that its parent got earlier.
        if Progress.current()?.isCancelled == true { progress.cancel() }
    }

    /// Cancels the fetch: the completion block receives an empty result and no error. Does nothing after the delivery.
    /// Callable from any thread.
    public func cancel() {
        progress.cancel()
        control.cancel()
    }

    /// Whether the fetch was cancelled before its result was delivered. Callable from any thread.
    public var isCancelled: Bool { observers.wasCancelled ?? control.isCancelled }

    /// Called on the fetching thread with the number of records found so far, at most some hundred times a second. A
    /// handler that is set late is called at once with the current number.
    public var progressHandler: (@Sendable (Int) -> Void)? {
        get { observers.handler }
        set { observers.setHandler(newValue) }
    }

    /// The numbers of records found so far; a slow reader gets the latest. The stream ends with the delivery.
    public var progressUpdates: AsyncStream<Int> { observers.stream() }

    /// Marks the result as final, so that later cancellations have no effect. Returns whether it was cancelled before.
    func close() -> Bool {
        // Breaks a cycle: the handler refers to the result's observers, and these refer to the progress.
        progress.cancellationHandler = nil
        return observers.close(cancelled: control.isCancelled)
    }

    /// Sets the completed and the total count to the number of records.
    func finishProgress(_ count: Int) {
        observers.finish(count)
    }
}
