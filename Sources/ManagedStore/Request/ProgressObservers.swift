import Dispatch
import Foundation
import Locking

/// Passes the number of records found to a `Progress`, a handler and streams, at a rate that does not slow down the
/// fetch.
final class ProgressObservers: Sendable {
    private struct State {
        var handler: (@Sendable (Int) -> Void)?
        var streams: [AsyncStream<Int>.Continuation] = []
        var latest = 0
        var lastReport: UInt64 = 0
        var cancelledAtClose: Bool?

        /// Stores the count. Returns whether it is time to pass it on.
        mutating func isDue(_ count: Int, at now: UInt64) -> Bool {
            latest = count
            if now - lastReport < ProgressObservers.interval { return false }
            lastReport = now
            return true
        }
    }

    private let progress: Progress
    private let state = Locked(State())

    /// The shortest time between two reports, in nanoseconds.
    private static let interval: UInt64 = 5_000_000

    init(_ progress: Progress) {
        self.progress = progress
    }

    /// Whether the fetch was cancelled; nil until the result is closed.
    var wasCancelled: Bool? { state.withLock { $0.cancelledAtClose } }

    var handler: (@Sendable (Int) -> Void)? { state.withLock { $0.handler } }

    func setHandler(_ handler: (@Sendable (Int) -> Void)?) {
        // The old handler is released after the lock: it may hold objects whose deinitializers run the application's
        // code.
        let (old, found) = state.withLock { state in
            defer { state.handler = handler }
            return (state.handler, state.latest)
        }
        withExtendedLifetime(old) {}
        if found > 0 { handler?(found) }
    }

    func stream() -> AsyncStream<Int> {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { state in
            if state.latest > 0 { continuation.yield(state.latest) }
            if state.cancelledAtClose == nil { state.streams.append(continuation) } else { continuation.finish() }
        }
        return stream
    }

    /// Reports that `count` records were found so far.
    func found(_ count: Int) {
        let now = DispatchTime.now().uptimeNanoseconds
        if state.withLock({ $0.isDue(count, at: now) }) { report(count) }
    }

    private func report(_ count: Int) {
        progress.completedUnitCount = Int64(count)
        handler?(count)
        let streams = state.withLock { $0.streams }
        for stream in streams { stream.yield(count) }
    }

    func close(cancelled: Bool) -> Bool {
        state.withLock { state in
            if let cancelledAtClose = state.cancelledAtClose { return cancelledAtClose }
            state.cancelledAtClose = cancelled
            return cancelled
        }
    }

    func finish(_ count: Int) {
        let streams = state.withLock { state in
            defer { state.streams = [] }
            state.latest = count
            return state.streams
        }
        if wasCancelled != true {
            progress.totalUnitCount = Int64(count)
            progress.completedUnitCount = Int64(count)
            handler?(count)
        }
        // The handler's owner may hold the result, and through it a million objects.
        setHandler(nil)
        for stream in streams {
            if wasCancelled != true { stream.yield(count) }
            stream.finish()
        }
    }
}
