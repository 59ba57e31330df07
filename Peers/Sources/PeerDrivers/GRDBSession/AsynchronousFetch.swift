import BenchHarness
import Dispatch
import Foundation
import GRDB

/// One fetch in the background: an asynchronous read of the pool in a task, which is what GRDB has cancelled by
/// cancelling the task. Delivered and touched on the session's queue.
///
/// Unchecked because its state passes from the task to the queue and from there to the waiting caller, each of which
/// has handed it on before the next one looks.
final class AsynchronousFetch<Method: GRDBTechnique>: @unchecked Sendable {
    /// Records touched at a time. Touching goes on after delivery, in steps so short that others get their turn.
    private static var slice: Int { 4_096 }

    private let method: Method
    private let work: FetchWork
    private let pool: DatabasePool
    private let queue: DispatchQueue
    private let monitor: PhaseMonitor
    private let cancellation = FetchCancellation()
    private let done = DispatchSemaphore(value: 0)
    private var result: Result<[Method.Record], any Error> = .success([])

    init(_ method: Method, _ work: FetchWork, from pool: DatabasePool, queue: DispatchQueue, monitor: PhaseMonitor) {
        self.method = method
        self.work = work
        self.pool = pool
        self.queue = queue
        self.monitor = monitor
    }

    /// Runs the fetch and waits until its records were delivered and touched. A cancelled fetch has none.
    func run() throws -> [Method.Record] {
        let task = Task { await find() }
        monitor.onCancel { [cancellation] in cancellation.cancel(task) }
        done.wait()
        return try result.get()
    }

    private func find() async {
        do {
            let found = try await pool.read { [self] db in
                try method.fetch(work, in: db) { monitor.progress($0) }
            }
            monitor.progress(found.count)
            result = .success(found)
        } catch {
            result = .failure(error)
        }
        // What a cancelled fetch had found is released here rather than on the queue; that it was interrupted is no
        // failure.
        if cancellation.isCancelled { result = .success([]) }
        queue.async(execute: deliver)
    }

    private func deliver() {
        monitor.completed()
        if cancellation.close() { result = .success([]) }
        monitor.delivered()
        touch(from: 0)
    }

    private func touch(from start: Int) {
        guard work.touch == .all, case .success(let records) = result, start < records.count else {
            done.signal()
            return
        }
        let end = min(start + Self.slice, records.count)
        BlackHole.consume(method.touch(records, start..<end))
        queue.async { self.touch(from: end) }
    }
}

/// Whether a fetch was cancelled before it was delivered.
///
/// Unchecked because the lock guards what changes.
private final class FetchCancellation: @unchecked Sendable {
    private let lock = NSLock()
    private var cancelled = false
    private var over = false

    var isCancelled: Bool { lock.withLock { cancelled } }

    /// Cancels the task that fetches, unless its result was delivered already.
    func cancel(_ task: Task<Void, Never>) {
        let isInTime = lock.withLock {
            if !over { cancelled = true }
            return !over
        }
        if isInTime { task.cancel() }
    }

    /// Ends the time in which the fetch can be cancelled, and says whether it was.
    func close() -> Bool {
        lock.withLock {
            over = true
            return cancelled
        }
    }
}
