import BenchHarness
import Testing

@testable import DriverConformance

@Suite struct CountingTests {
    @Test(arguments: DriverCase.all)
    func everyDriverKnowsEveryCounter(_ subject: DriverCase) async throws {
        try await onThread {
            let store = try CheckedStore(subject.driver)
            let session = try store.open()
            session.resetCounters()
            #expect(try session.counters().statements == 0)
            try session.seed(640)
            let counters = try session.counters()
            #expect(try #require(counters.statements) >= 10)
            #expect(try #require(counters.vmSteps) > 640)
            #expect(try #require(counters.rows) >= 640)
            #expect(try #require(counters.pagesWritten) > 0)
            #expect(try #require(counters.storeMemoryPeakBytes) > 10_000)
            #expect(counters.conflicts == 0)
            #expect(try #require(counters.logBytesWritten) > 640 && counters.syncs != nil)
            session.resetCounters()
            #expect(try session.counters().vmSteps == 0)
            try session.close()
        }
    }

    @Test(arguments: DriverCase.all, FetchWork.Mode.allCases)
    func everyDriverCountsTheRowsThatItReads(_ subject: DriverCase, mode: FetchWork.Mode) async throws {
        try await onThread {
            let store = try CheckedStore(subject.driver)
            let session = try store.seeded(640)
            session.resetCounters()
            #expect(try session.fetch(FetchWork(mode: mode, sort: [SortSpec(key: "createdAt")])).count == 640)
            #expect(try session.counters().rows == 640)
            try session.close()
        }
    }
}
