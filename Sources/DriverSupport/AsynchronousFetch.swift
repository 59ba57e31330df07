import BenchHarness
import Dispatch
import Foundation
import Locking

/// One fetch in the background, for a store without asynchronous fetches of its own: it finds the records on another
/// thread and delivers them on the session's queue.
///
/// ```swift
/// func fetchAsynchronously(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
///     try AsynchronousFetch(none: MyRows(), queue: queue, monitor: monitor)
///         .run(interrupt: { [connection] in connection.interrupt() }) { [find] progress in
///             try find(work, progress)
///         }
/// }
/// ```
public final class AsynchronousFetch<Found: FetchedRecords & Sendable>: Sendable {
    private let none: Found
    private let queue: DispatchQueue
    private let monitor: PhaseMonitor
    private let cancellation = FetchCancellation()
    private let done = DispatchSemaphore(value: 0)
    private let result: Locked<Result<Found, any Error>>

    /// Creates a fetch.
    ///
    /// - Parameters:
    ///   - none: An empty result, which a cancelled fetch returns.
    ///   - queue: The session's queue.
    ///   - monitor: Receives the progress.
    public init(none: Found, queue: DispatchQueue, monitor: PhaseMonitor) {
        self.none = none
        self.queue = queue
        self.monitor = monitor
        result = Locked(.success(none))
    }

    /// Runs the fetch on a new thread and waits until its records are delivered.
    ///
    /// - Parameters:
    ///   - interrupt: Ends a call into the store's library when the fetch is cancelled, from another thread. It is not
    ///     called after the delivery, so that it cannot affect a later fetch.
    ///   - find: Finds the records. It calls its argument at intervals with the number found so far, which throws once
    ///     the fetch is cancelled.
    /// - Throws: Any error of `find`. A cancelled fetch throws nothing, and has no records.
    public func run(
        interrupt: @escaping @Sendable () -> Void = {},
        _ find: @escaping @Sendable (@escaping @Sendable (Int) throws -> Void) throws -> Found
    ) throws -> Found {
        monitor.onCancel { [cancellation] in cancellation.cancel(interrupt) }
        Thread { [self] in hand(over: Result { try find(progress) }) }.start()
        return try wait()
    }

    /// Runs the fetch in a task, which is cancelled with it, and waits until its records are delivered.
    ///
    /// - Parameter find: Finds the records, as in ``run(interrupt:_:)``.
    /// - Throws: Any error of `find`. A cancelled fetch throws nothing, and has no records.
    public func runInTask(
        _ find: @escaping @Sendable (@escaping @Sendable (Int) throws -> Void) async throws -> Found
    ) throws -> Found {
        let task = Task { [self] in
            do {
                hand(over: .success(try await find(progress)))
            } catch {
                hand(over: .failure(error))
            }
        }
        monitor.onCancel { [cancellation] in cancellation.cancel { task.cancel() } }
        return try wait()
    }

    private func wait() throws -> Found {
        done.wait()
        return try result.value.get()
    }

    @Sendable private func progress(_ count: Int) throws {
        monitor.progress(count)
        try cancellation.checkCancellation()
    }

    private func hand(over found: Result<Found, any Error>) {
        if case .success(let records) = found { monitor.progress(records.count) }
        // A cancelled fetch releases its records here, not on the queue. Its interruption is not a failure.
        if !cancellation.isCancelled { result.exchange(found) }
        queue.async { [self] in deliver() }
    }

    private func deliver() {
        monitor.completed()
        if cancellation.close() { result.exchange(.success(none)) }
        monitor.delivered()
        done.signal()
    }
}
