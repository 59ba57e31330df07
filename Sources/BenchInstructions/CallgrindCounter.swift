import BenchHarness
import CSystem
import Locking

/// Has callgrind, under which the process runs, count the instructions of each phase into a file of its own.
final class CallgrindCounter: InstructionCounter {
    private let phase = Locked(0)

    /// Whether the process runs under valgrind.
    static var isAvailable: Bool { csystem_is_under_valgrind() != 0 }

    /// Sets the index of the phase that is measured next.
    func begin(phase index: Int) { phase.withLock { $0 = index } }

    func start() { csystem_callgrind_start() }

    func stop() -> Int? {
        csystem_callgrind_stop(Self.title(ofPhase: phase.value))
        return nil
    }

    /// What the profile of a phase says of its origin.
    static func title(ofPhase index: Int) -> String { "phase \(index)" }
}
