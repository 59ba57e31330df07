import Foundation
import Locking
import TestSupport
import Testing

@testable import BenchHarness

@Suite struct LoadEngineTests {
    /// Runs a load of two reads on the fake driver, and calls `observe` on the thread of its worker.
    private func run(_ pace: PaceSpec, observe: @escaping @Sendable () -> Void) throws {
        let (directory, driver) = (try TemporaryDirectory(), FakeDriver())
        var scenario = FakeDriver.scenario
        scenario.entity.attributes[0].unique = true
        let session = try driver.open(
            StoreConfiguration(
                directory: directory.url, entity: scenario.entity, options: scenario.store,
                records: RecordGenerator(entity: scenario.entity, seed: scenario.seed)))
        let work = LoadWork(source: .mix(MixSpec(operations: [.read: 1])), workers: 1, pace: pace)
        let engine = LoadEngine(
            work, scenario: scenario, session: try session.offering((any LoadingSession).self),
            clock: MonotonicClock(),
            wrap: { worker, _ in
                observe()
                return worker
            })
        engine.makeWorkers()
        engine.run(sampling: { _ in }, probe: LoadProbe(probe: MissingProbe(), directory: directory.url))
    }

    #if os(Linux)
        /// The slack of the current thread, as the kernel has it, in nanoseconds.
        private static var slack: Int? {
            let thread = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
            let id = URL(fileURLWithPath: thread ?? "").lastPathComponent
            return ProcText.read("/proc/\(id)/timerslack_ns")
                .flatMap { Int($0.text.trimmingCharacters(in: .newlines)) }
        }

        /// A slack would be a part of every response time. A closed loop sleeps only before it retries.
        @Test func workersOfOpenLoopsWakeUpWithoutSlack() throws {
            let found = Locked<[Int?]>([])
            for rate in [nil, RateSpec(perSecond: 1_000)] {
                try run(PaceSpec(operations: 2, rate: rate)) { found.withLock { $0.append(Self.slack) } }
            }
            #expect(found.value[1] == 1)
            #expect(try #require(found.value[0]) > 1)
        }
    #endif
}
