import Testing

@testable import BenchHarness

@Suite struct SyncProblemTests {
    private func problems(
        _ synchronous: StoreOptions.Synchronous, syncs: Int?, log: Int = 0, database: Int = 0
    ) -> [String] {
        var options = StoreOptions()
        options.synchronous = synchronous
        return StoreCounters(syncs: syncs, logBytesWritten: log, databaseBytesWritten: database).syncProblems(options)
    }

    @Test func aLogThatIsWrittenBackWithoutASyncIsFound() {
        #expect(
            problems(.normal, syncs: 0, log: 10, database: 4_096)
                == ["the store synced nothing and wrote 4096 bytes that must be durable with synchronous normal"])
        #expect(problems(.normal, syncs: 1, database: 4_096) == [])
        #expect(problems(.off, syncs: 0, database: 4_096) == [])
    }

    @Test func commitsWithoutASyncAreFoundAtFullOnly() {
        #expect(problems(.full, syncs: 0, log: 10).count == 1 && problems(.extra, syncs: 0, log: 10).count == 1)
        #expect(problems(.normal, syncs: 0, log: 10) == [] && problems(.full, syncs: 0) == [])
    }

    @Test func syncsThatAreNotCountedAreNotJudged() {
        #expect(problems(.full, syncs: nil, log: 10, database: 10) == [])
    }
}
