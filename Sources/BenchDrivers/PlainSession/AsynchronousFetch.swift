import BenchHarness
import Dispatch
import Foundation

/// One fetch in the background: found on a thread of its own, delivered and touched on the session's queue.
///
/// Unchecked because its state passes from the thread to the queue and from there to the waiting caller, each of which
/// has handed it on before the next one looks.
final class AsynchronousFetch<Method: Technique>: @unchecked Sendable {
    /// Records touched at a time. Touching goes on after delivery, in steps so short that others get their turn.
    private static var slice: Int { 4_096 }

    private let technique: Method
    private let work: FetchWork
    private let connection: PlainConnection
    private let queue: DispatchQueue
    private let monitor: PhaseMonitor
    private let cancellation: FetchCancellation
    private let done = DispatchSemaphore(value: 0)
    private var result: Result<Method.Rows, any Error> = .success(Method.Rows())

    init(
        _ technique: Method, _ work: FetchWork, on connection: PlainConnection, queue: DispatchQueue,
        monitor: PhaseMonitor
    ) {
        self.technique = technique
        self.work = work
        self.connection = connection
        self.queue = queue
        self.monitor = monitor
        cancellation = FetchCancellation(connection)
    }

    /// Runs the fetch and waits until its records were delivered and touched. A cancelled fetch has none.
    func run() throws -> Method.Rows {
        monitor.onCancel { [cancellation] in cancellation.cancel() }
        Thread(block: find).start()
        done.wait()
        return try result.get()
    }

    private func find() {
        let watch = FetchWatch { [monitor, cancellation] count in
            monitor.progress(count)
            try cancellation.checkCancellation()
        }
        result = Result {
            let rows = try technique.fetch(work, on: connection, watch: watch)
            try watch.found(rows.count)
            return rows
        }
        // What a cancelled fetch had found is released here rather than on the queue.
        if cancellation.isCancelled { result = .success(Method.Rows()) }
        queue.async(execute: deliver)
    }

    private func deliver() {
        monitor.completed()
        if cancellation.close() { result = .success(Method.Rows()) }
        monitor.delivered()
        touch(from: 0)
    }

    private func touch(from start: Int) {
        guard work.touch == .all, case .success(let rows) = result, start < rows.count else {
            done.signal()
            return
        }
        let end = min(start + Self.slice, rows.count)
        BlackHole.consume(rows.touch(start..<end))
        queue.async { self.touch(from: end) }
    }
}
