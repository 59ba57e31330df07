import Dispatch
import Foundation

/// Passes the number of records found on to a `Progress`, a handler and streams, seldom enough to cost the fetch
/// nothing.
final class ProgressObservers: @unchecked Sendable {
    // Unchecked: everything that can change is only touched with the lock held.
    private let progress: Progress
    private let lock = Lock()
    private var currentHandler: (@Sendable (Int) -> Void)?
    private var streams: [AsyncStream<Int>.Continuation] = []
    private var latest = 0
    private var lastReport: UInt64 = 0
    private var cancelledAtClose: Bool?

    private static let interval: UInt64 = 5_000_000

    init(_ progress: Progress) {
        self.progress = progress
    }

    /// Nil until the result was closed.
    var wasCancelled: Bool? { lock.withLock { cancelledAtClose } }

    var handler: (@Sendable (Int) -> Void)? { lock.withLock { currentHandler } }

    func setHandler(_ handler: (@Sendable (Int) -> Void)?) {
        // The old handler is let go of when the lock is released: it may hold objects, whose end is the application's
        // code.
        let (old, found) = lock.withLock {
            defer { currentHandler = handler }
            return (currentHandler, latest)
        }
        withExtendedLifetime(old) {}
        if found > 0 { handler?(found) }
    }

    func stream() -> AsyncStream<Int> {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
        lock.withLock {
            if latest > 0 { continuation.yield(latest) }
            if cancelledAtClose == nil { streams.append(continuation) } else { continuation.finish() }
        }
        return stream
    }

    /// `count` records were found so far.
    func found(_ count: Int) {
        let now = DispatchTime.now().uptimeNanoseconds
        if lock.withLock({ isDue(count, at: now) }) { report(count) }
    }

    /// Takes the count down; whether it is time to pass it on.
    private func isDue(_ count: Int, at now: UInt64) -> Bool {
        latest = count
        if now - lastReport < Self.interval { return false }
        lastReport = now
        return true
    }

    private func report(_ count: Int) {
        progress.completedUnitCount = Int64(count)
        handler?(count)
        let streams = lock.withLock { self.streams }
        for stream in streams { stream.yield(count) }
    }

    func close(cancelled: Bool) -> Bool {
        lock.withLock {
            if let cancelledAtClose { return cancelledAtClose }
            cancelledAtClose = cancelled
            return cancelled
        }
    }

    func finish(_ count: Int) {
        let streams = lock.withLock {
            defer { self.streams = [] }
            latest = count
            return self.streams
        }
        if wasCancelled != true {
            progress.totalUnitCount = Int64(count)
            progress.completedUnitCount = Int64(count)
            handler?(count)
        }
        // Whoever handed the handler over may hold the result, and with it a million objects.
        setHandler(nil)
        for stream in streams {
            if wasCancelled != true { stream.yield(count) }
            stream.finish()
        }
    }
}
