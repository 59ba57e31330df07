import Dispatch
import Foundation
import Locking

/// A process that is sent signals until it is reaped: its number may be another's then. It is killed on a request
/// to stop, and when it does not end.
final class TortureVictim: Sendable {
    private struct State {
        var id: pid_t?
        var wasKilled = false
        var hangs = false
    }

    // Unsafe: a source of Dispatch may be used from any thread, which its declaration does not say.
    nonisolated(unsafe) private let watch = DispatchSource.makeTimerSource(queue: .global())
    private let state: Locked<State>

    /// A process that is still there after so many seconds hangs.
    private static let patience = 60.0

    init(_ id: pid_t, _ interruption: Interruption) {
        state = Locked(State(id: id))
        let end = DispatchTime.now() + Self.patience
        watch.schedule(deadline: .now() + 0.1, repeating: 0.1)
        watch.setEventHandler { [weak self] in
            if interruption.isRequested { self?.send(SIGKILL) }
            if DispatchTime.now() > end { self?.giveUp() }
        }
        watch.resume()
    }

    /// Whether it was sent SIGKILL.
    var isKilled: Bool { state.withLock { $0.wasKilled } }
    /// Whether it did not come to an end.
    var isHanging: Bool { state.withLock { $0.hangs } }

    /// Sends a signal; to one that was reaped, none.
    func send(_ signal: Int32) {
        state.withLock { state in
            guard let id = state.id else { return }
            if signal == SIGKILL { state.wasKilled = true }
            _ = kill(id, signal)
        }
    }

    /// It is about to be reaped.
    func forget() {
        watch.cancel()
        state.withLock { $0.id = nil }
    }

    private func giveUp() {
        state.withLock { $0.hangs = $0.hangs || $0.id != nil }
        send(SIGKILL)
    }
}
