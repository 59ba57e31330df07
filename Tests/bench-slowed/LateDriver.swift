import BenchDrivers
import BenchHarness
import ForwardingDriver
import Foundation
import Processes

/// Puts off work: a chunked update goes on in a thread after the clock has stopped, and a batch update leaves a
/// process.
struct LateDriver: StoreDriver {
    private let base = SQLiteDriver()

    let name = "late"
    let summary = "Works after the clock"

    var sessionType: any StoreSession.Type { LateSession.self }

    func open(_ configuration: StoreConfiguration) throws -> any StoreSession {
        LateSession(try base.open(configuration))
    }

    func inspector(of configuration: StoreConfiguration) -> (any StoreInspector)? {
        base.inspector(of: configuration)
    }
}

private final class LateSession: ForwardingSession {
    private var child: Process?

    override func update(_ work: UpdateWork, monitor: PhaseMonitor) throws {
        try super.update(work, monitor: monitor)
        switch work.mode {
        case .perObject: break
        case .chunked:
            Thread.detachNewThread {
                var time = timespec()
                repeat {
                    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
                } while time.tv_sec == 0 && time.tv_nsec < 200_000_000
            }
        case .batch: child = try Process.run(URL(fileURLWithPath: "/bin/sleep"), arguments: ["5"])
        }
    }

    override func finish() {
        child?.terminate()
        _ = child?.awaitEnd()
        child = nil
        super.finish()
    }
}
