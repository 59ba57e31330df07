import BenchDrivers
import BenchHarness
import Testing

@testable import PeerDrivers

@Suite struct PeerDriversTests {
    @Test func driversDoEveryKindOfPhaseOnTheToDoItem() async throws {
        let run = try await ScenarioRun(Scenarios.item, PeerDrivers.all)
        #expect(run.code == .success)
        #expect(run.failures == [])
        #expect(Set(run.rows.map(\.driver)) == ["grdb", "grdb-fast", "lmdb"])
    }

    @Test func driversOfAnyEntityDoLoadsAndEveryTypeOfAttribute() async throws {
        let run = try await ScenarioRun(Scenarios.everything, [GRDBFastDriver(), LMDBDriver()])
        #expect(run.code == .success)
        #expect(run.failures == [])
        #expect(run.rows.filter { $0.phase == "mixed" }.map(\.driver) == ["grdb-fast", "lmdb"])
    }

    @Test func aRecordOfAnotherEntityIsRefusedWithAReason() async throws {
        let run = try await ScenarioRun(Scenarios.everything, [GRDBDriver()])
        #expect(run.rows.allSatisfy { $0.status == .unsupported && $0.error.contains("grdb-fast does any entity") })
    }

    @Test func recordsThatAreLeftOutOrUnchangedAreFound() async throws {
        let run = try await ScenarioRun(Scenarios.item, [ForgetfulDriver()])
        #expect(run.code == .failure)
        let failed = Set(run.rows.filter { $0.status == .failed && $0.verified == false }.map(\.phase))
        #expect(failed.isSuperset(of: ["sync", "all-per_object", "all-chunked", "all-batch", "merge"]))
        #expect(run.rows.contains { $0.phase == "seed" && $0.verified == true })
    }

    @Test(arguments: PeerDriverCase.all)
    func anotherWritersChangesAreNotOverwritten(_ subject: PeerDriverCase) async throws {
        let store = try TemporaryStore()
        let mine = try #require(subject.driver.open(store.configuration) as? any UpdatingSession)
        try mine.seed(SeedWork(), records: 10, monitor: PhaseMonitor())
        let work = UpdateWork(
            mode: .perObject, set: [AttributeChange(attribute: "done", operation: .assign(.bool(true)))])
        try mine.prepareUpdate(work)
        let theirs = try #require(subject.driver.open(store.configuration) as? any UpdatingSession)
        try theirs.update(UpdateWork(mode: .batch, set: work.set), monitor: PhaseMonitor())
        #expect(throws: RecordConflict.self) { try mine.update(work, monitor: PhaseMonitor()) }
        #expect(try mine.counters().conflicts == 1)
        try theirs.close()
        try mine.close()
        withExtendedLifetime(store) {}
    }

    @Test(arguments: [StoreOptions.Synchronous.off, .full])
    func theStoreOpensWithTheSettingsOfTheScenario(_ synchronous: StoreOptions.Synchronous) throws {
        let options = StoreOptions(
            synchronous: synchronous, cacheSizeKiB: 777, pageSizeBytes: 8_192, walAutocheckpointPages: 12)
        let store = try TemporaryStore(options)
        let pool = try PeerStore(store.configuration).open()
        #expect(try pool.pragma("synchronous") == (synchronous == .off ? 0 : 2))
        #expect(try pool.pragma("cache_size") == -777)
        #expect(try pool.pragma("page_size") == 8_192)
        #expect(try pool.pragma("wal_autocheckpoint") == 12)
        #expect(try pool.pragma("temp_store") == 1)
        #expect(try pool.pragma("threads") == min(SQLiteSorting.threads, 8))
        try pool.close()
        withExtendedLifetime(store) {}
    }
}
