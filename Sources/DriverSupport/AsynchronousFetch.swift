import BenchHarness
import Dispatch
import Foundation
import Locking

/// The records of a fetch, which are read slice by slice.
public protocol SlicedRecords: Sendable {
    /// The number of records.
    var count: Int { get }
    /// Reads every attribute of the records in `range`; the result depends on all of them.
    func touch(_ range: Range<Int>) -> UInt64
}

/// One fetch in the background, for a store without asynchronous fetches of its own: it finds the records on another
/// thread, delivers them on the session's queue, and touches them there slice by slice.
///
/// ```swift
/// func fetchAsynchronously(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
///     try AsynchronousFetch(work, none: MyRows(), queue: queue, monitor: monitor)
///         .run(interrupt: { [connection] in connection.interrupt() }) { [find] progress in
///             try find(work, progress)
///         }
/// }
/// ```
public final class AsynchronousFetch<Found: SlicedRecords>: Sendable {
    /// The number of records per slice. Touching continues after delivery, in slices so short that other work gets its
    /// turn.
    private static var slice: Int { 4_096 }

    private let work: FetchWork
    private let none: Found
    private let queue: DispatchQueue
    private let monitor: PhaseMonitor
    private let cancellation = FetchCancellation()
    private let done = DispatchSemaphore(value: 0)
    private let result: Locked<Result<Found, any Error>>

    /// Creates a fetch.
    ///
    /// - Parameters:
    ///   - work: The fetch.
    ///   - none: An empty result, which a cancelled fetch returns.
    ///   - queue: The session's queue.
    ///   - monitor: Receives the progress.
    public init(_ work: FetchWork, none: Found, queue: DispatchQueue, monitor: PhaseMonitor) {
        self.work = work
        self.none = none
        self.queue = queue
        self.monitor = monitor
        result = Locked(.success(none))
    }

    /// Runs the fetch on a new thread and waits until its records are delivered and touched.
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

    /// Runs the fetch in a task, which is cancelled with it, and waits until its records are delivered and touched.
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
        guard work.touch == .all, case .success(let records) = result.value else {
            done.signal()
            return
        }
        touch(records, from: 0)
    }

    private func touch(_ records: Found, from start: Int) {
        guard start < records.count else {
            done.signal()
            return
        }
        let end = min(start + Self.slice, records.count)
        BlackHole.consume(records.touch(start..<end))
        queue.async { [self] in touch(records, from: end) }
    }
}
