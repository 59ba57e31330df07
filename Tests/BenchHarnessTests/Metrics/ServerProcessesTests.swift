import Foundation
import Testing

@testable import BenchHarness

@Suite struct ServerProcessesTests {
    /// This process is a child of its parent, as those of a server are.
    @Test func theWorkOfAChildCounts() {
        let processes = ServerProcesses(parent: getppid())
        let before = processes.cpu
        let end = threadTime + 20_000_000
        while threadTime < end {}
        #expect(processes.cpu >= before + 20_000_000)
    }

    /// The CPU time of this thread, in nanoseconds: that of the process has children of other tests in it.
    private var threadTime: Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
    }

    @Test func aProcessThatIsNotThereUsesNothing() {
        // No process has this number: the system counts them up to 4,194,304 at most.
        #expect(ServerProcesses(parent: 2_000_000_000).cpu == 0)
        #expect(ProcessState(getpid())?.parent == getppid())
    }
}
