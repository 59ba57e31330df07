import Foundation
import TestSupport
import Testing

@testable import BenchHarness

@Suite struct BatchSchedulingTests {
    private static let usual: Int32 = 0
    private static let batch: Int32 = 3

    @Test func aThreadIsScheduledForABatchAndLeftAsItWas() {
        #expect(sched_getscheduler(0) == Self.usual)
        #expect(BatchScheduling.during { sched_getscheduler(0) } == Self.batch)
        #expect(sched_getscheduler(0) == Self.usual)
    }

    @Test func aPolicyOfItsOwnStays() {
        let inside = BatchScheduling.during { BatchScheduling.during { sched_getscheduler(0) } }
        #expect(inside == Self.batch)
        let after = BatchScheduling.during {
            BatchScheduling.during {}
            return sched_getscheduler(0)
        }
        #expect(after == Self.batch)
    }

    /// What shares a core takes turns without interrupting itself; what has all cores runs as programs usually do.
    @Test(arguments: [true, false]) func sidesOnOneCoreAreScheduledForABatch(isPinned: Bool) throws {
        let folder = try TemporaryDirectory()
        let file = folder.url.appendingPathComponent("stat")
        let program = PairedRequest.Program(
            title: "bench", command: ["/bin/sh", "-c", "cat /proc/self/stat > '\(file.path)'"])
        let contest = PairedRequest.Contest(base: "fake", new: "fake")
        let scenario = FakeDriver.scenario
        let request = PairedRequest(scenario: scenario, contests: [contest], base: program, new: program)
        let job = RepetitionJob(
            run: "run", scenario: scenario, driver: "fake", repetition: 1, phases: 0..<1,
            directory: folder.url.path, parent: getpid())
        let core = isPinned ? Cores.system.allowed.first : nil
        #expect(throws: RunError.self) {
            _ = try TurnPartner(
                request, .base, job: job, core: core, wantsManifest: false, interruption: Interruption())
        }
        let stat = try String(contentsOf: file, encoding: .utf8)
        // The state is field 3, after the name in parentheses; the policy is field 41 (proc(5)).
        let fields = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].dropFirst(2).split(separator: " ")
        #expect(Int32(fields[41 - 3]) == (isPinned ? Self.batch : Self.usual))
    }
}
