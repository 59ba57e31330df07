import Dispatch
import Foundation
import Locking

/// A process that receives signals until it is reaped: its id may belong to another process after that. It is killed on
/// a request to stop, and if it hangs.
final class TortureVictim: Sendable {
    private struct State {
        var id: pid_t?
        var wasKilled = false
        var hangs = false
    }

    // Unsafe: any thread may use a Dispatch source, but its declaration does not say so.
    nonisolated(unsafe) private let watch = DispatchSource.makeTimerSource(queue: .global())
    private let state: Locked<State>

    /// The number of seconds after which a live process counts as hanging.
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
    /// Whether it hung.
    var isHanging: Bool { state.withLock { $0.hangs } }

    /// Sends a signal, unless the process was reaped.
    func send(_ signal: Int32) {
        state.withLock { state in
            guard let id = state.id else { return }
            if signal == SIGKILL { state.wasKilled = true }
            _ = kill(id, signal)
        }
    }

    /// Stops sending signals, right before the process is reaped.
    func forget() {
        watch.cancel()
        state.withLock { $0.id = nil }
    }

    private func giveUp() {
        state.withLock { $0.hangs = $0.hangs || $0.id != nil }
        send(SIGKILL)
    }
}
