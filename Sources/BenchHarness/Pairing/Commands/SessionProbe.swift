import Dispatch
import Foundation
import Locking

/// Finds out whether a command has work to do all the time, also on a busy machine, where it often waits for a core.
///
/// It looks at the states of the threads in the command's session again and again. Without `/proc` it sees nothing.
final class SessionProbe: Sendable {
    private struct Counts {
        var looks = 0
        var busy = 0
    }

    private static let interval = DispatchTimeInterval.milliseconds(5)
    private static let fewestLooks = 20

    private let counts = Locked(Counts())

    /// The share of the time in which a thread ran, or waited for a core; nil if that was too seldom looked at.
    var busyShare: Double? {
        let counts = counts.value
        return counts.looks < Self.fewestLooks ? nil : Double(counts.busy) / Double(counts.looks)
    }

    /// Looks at a session while `body` runs.
    func watching<Value>(_ session: pid_t, _ body: () throws -> Value) rethrows -> Value {
        let timer = DispatchSource.makeTimerSource(queue: .global())
        timer.schedule(deadline: .now() + Self.interval, repeating: Self.interval)
        timer.setEventHandler { [counts] in
            guard let isBusy = Self.isBusy(session) else { return }
            counts.withLock { counts in
                counts.looks += 1
                counts.busy += isBusy ? 1 : 0
            }
        }
        timer.resume()
        defer { timer.cancel() }
        return try body()
    }

    /// Whether a thread of the session can run; nil if it has no process that lives.
    private static func isBusy(_ session: pid_t) -> Bool? {
        var found: Bool?
        for process in ProcessState.processes {
            guard let own = ProcessState(process), own.session == session, own.state != "Z" else { continue }
            if own.canRun { return true }
            if own.threads > 1, ProcessState.threads(of: "\(process)").contains(where: \.canRun) { return true }
            found = false
        }
        return found
    }

    /// The processes, in any session, that a command with a mark has left running: their names and numbers.
    static func processes(marked mark: String) -> [(id: pid_t, name: String)] {
        let bytes = Data((mark + "\0").utf8)
        return ProcessState.processes.compactMap { id in
            guard let environment = FileManager.default.contents(atPath: "/proc/\(id)/environ"),
                environment.range(of: bytes) != nil
            else { return nil }
            return (id, ProcessState(id)?.name ?? "a process")
        }
    }
}
