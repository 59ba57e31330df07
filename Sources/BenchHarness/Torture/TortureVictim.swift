import Dispatch
import Foundation

/// A process that is sent signals until it is reaped: its number may be another's then. It is killed when somebody
/// wants to stop, and when it does not come to an end.
///
/// Unchecked because the lock guards what changes.
final class TortureVictim: @unchecked Sendable {
    private let lock = NSLock()
    private let watch = DispatchSource.makeTimerSource(queue: .global())
    private var id: pid_t?
    private var wasKilled = false
    private var hangs = false

    /// A process that is still there after so many seconds hangs.
    private static let patience = 60.0

    init(_ id: pid_t, _ interruption: Interruption) {
        self.id = id
        let end = DispatchTime.now() + Self.patience
        watch.schedule(deadline: .now() + 0.1, repeating: 0.1)
        watch.setEventHandler { [weak self] in
            if interruption.isRequested { self?.send(SIGKILL) }
            if DispatchTime.now() > end { self?.giveUp() }
        }
        watch.resume()
    }

    /// Whether it was sent SIGKILL.
    var isKilled: Bool { lock.withLock { wasKilled } }
    /// Whether it did not come to an end.
    var isHanging: Bool { lock.withLock { hangs } }

    /// Sends a signal; to one that was reaped, none.
    func send(_ signal: Int32) {
        lock.withLock {
            guard let id else { return }
            if signal == SIGKILL { wasKilled = true }
            _ = kill(id, signal)
        }
    }

    /// It is about to be reaped.
    func forget() {
        watch.cancel()
        lock.withLock { id = nil }
    }

    private func giveUp() {
        lock.withLock { hangs = hangs || id != nil }
        send(SIGKILL)
    }
}
