import Foundation
import Testing

@testable import BenchHarness

@Suite struct ServerProcessesTests {
    /// This process is a child of its parent, as those of a server are.
    @Test func theWorkOfAChildCounts() {
        let processes = ServerProcesses(parent: getppid())
        let before = processes.cpu
        let end = ProcessorClock().now() + 20_000_000
        while ProcessorClock().now() < end {}
        #expect(processes.cpu >= before + 20_000_000)
    }

    @Test func aProcessThatIsNotThereUsesNothing() {
        // No process has this number: the system counts them up to 4,194,304 at most.
        #expect(ServerProcesses(parent: 2_000_000_000).cpu == 0)
        #expect(ServerProcesses.parent(of: getpid()) == getppid())
    }
}
