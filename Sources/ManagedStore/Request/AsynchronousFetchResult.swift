import Foundation

/// What `execute` hands back at once for an asynchronous fetch, and what the fetch found once it is done.
public final class AsynchronousFetchResult<Object: ManagedObject>: @unchecked Sendable {
    // Unchecked: `finalResult` and `operationError` belong to the context's queue; the rest is Sendable.

    /// What is fetched.
    public let fetchRequest: FetchRequest<Object>
    /// The context on whose queue the result is delivered.
    public let managedObjectContext: ManagedObjectContext
    /// How far the fetch is: records found so far, of the estimated number or of an unknown one. Cancelling it cancels
    /// the fetch. A child of the progress that was current when the request was executed, if there was one.
    public let progress: Progress
    /// The objects, once the fetch is done; empty if it was cancelled or failed. Nil before. On the context's queue.
    public internal(set) var finalResult: [Object]?
    /// What went wrong; nil when all is well, or the fetch was cancelled. On the context's queue.
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
        // Asked as well, since Foundation calls the handler of a cancelled progress some time later, on another thread.
        control = FetchControl(isAlsoCancelled: { progress.isCancelled }, report: { observers.found($0) })
        let control = control
        progress.cancellationHandler = { control.cancel() }
        // A progress does not hear of it that its parent was cancelled before.
        if Progress.current()?.isCancelled == true { progress.cancel() }
    }

    /// Stops the fetch: the completion block is called with an empty result and no error. Does nothing after delivery.
    /// From any thread.
    public func cancel() {
        progress.cancel()
        control.cancel()
    }

    /// Whether the fetch was cancelled before its result was delivered. From any thread.
    public var isCancelled: Bool { observers.wasCancelled ?? control.isCancelled }

    /// Called with the number of records found so far, some hundred times a second at most, on the fetching thread. A
    /// handler set late is called at once with the number so far.
    public var progressHandler: (@Sendable (Int) -> Void)? {
        get { observers.handler }
        set { observers.setHandler(newValue) }
    }

    /// The numbers of records found so far, the latest if the reader is slow; ends with the delivery.
    public var progressUpdates: AsyncStream<Int> { observers.stream() }

    /// Marks the result as final: from here on cancelling does nothing.
    ///
    /// Returns whether it was cancelled before.
    func close() -> Bool {
        // The handler leads from the progress to this result's observers and back to the progress.
        progress.cancellationHandler = nil
        return observers.close(cancelled: control.isCancelled)
    }

    /// Completed = total = the number of records.
    func finishProgress(_ count: Int) {
        observers.finish(count)
    }
}
