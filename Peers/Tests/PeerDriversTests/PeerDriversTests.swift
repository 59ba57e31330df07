import BenchHarness
import Testing

@testable import PeerDrivers

@Suite("The drivers on GRDB")
struct PeerDriversTests {
    @Test("do every kind of phase on the to-do item, every row verified")
    func items() async throws {
        let run = try await ScenarioRun(Scenarios.item, PeerDrivers.all)
        #expect(run.code == .success)
        #expect(run.failures == [])
        #expect(Set(run.rows.map(\.driver)) == ["grdb", "grdb-fast"])
    }

    @Test("do loads and every type of attribute with grdb-fast, every row verified")
    func everything() async throws {
        let run = try await ScenarioRun(Scenarios.everything, [GRDBFastDriver()])
        #expect(run.code == .success)
        #expect(run.failures == [])
        #expect(run.rows.contains { $0.phase == "mixed" })
    }

    @Test("say why a record cannot be another entity than its own")
    func otherEntities() async throws {
        let run = try await ScenarioRun(Scenarios.everything, [GRDBDriver()])
        #expect(run.rows.allSatisfy { $0.status == .unsupported && $0.error.contains("grdb-fast does any entity") })
    }

    @Test("are found out when they leave a record as it was, or out")
    func broken() async throws {
        let run = try await ScenarioRun(Scenarios.item, [ForgetfulDriver()])
        #expect(run.code == .failure)
        let failed = Set(run.rows.filter { $0.status == .failed && $0.verified == false }.map(\.phase))
        #expect(failed.isSuperset(of: ["sync", "all-per_object", "all-chunked", "all-batch", "merge"]))
        #expect(run.rows.contains { $0.phase == "seed" && $0.verified == true })
    }

    @Test("refuse to overwrite what another writer has changed, where versions are compared")
    func conflicts() async throws {
        let store = try TemporaryStore()
        let mine = try #require(GRDBFastDriver().open(store.configuration) as? any UpdatingSession)
        try mine.seed(SeedWork(), records: 10, monitor: PhaseMonitor())
        let work = UpdateWork(
            mode: .perObject, set: [AttributeChange(attribute: "done", operation: .assign(.bool(true)))])
        try mine.prepareUpdate(work)
        let theirs = try #require(GRDBFastDriver().open(store.configuration) as? any UpdatingSession)
        try theirs.update(UpdateWork(mode: .batch, set: work.set), monitor: PhaseMonitor())
        #expect(throws: RunError.self) { try mine.update(work, monitor: PhaseMonitor()) }
        try theirs.close()
        try mine.close()
        withExtendedLifetime(store) {}
    }

    @Test("open the store with the scenario's settings", arguments: [StoreOptions.Synchronous.off, .full])
    func settings(_ synchronous: StoreOptions.Synchronous) throws {
        let options = StoreOptions(
            synchronous: synchronous, cacheSizeKiB: 777, pageSizeBytes: 8_192, walAutocheckpointPages: 12)
        let store = try TemporaryStore(options)
        let pool = try PeerStore(store.configuration).open()
        #expect(try pool.pragma("synchronous") == (synchronous == .off ? 0 : 2))
        #expect(try pool.pragma("cache_size") == -777)
        #expect(try pool.pragma("page_size") == 8_192)
        #expect(try pool.pragma("wal_autocheckpoint") == 12)
        try pool.close()
        withExtendedLifetime(store) {}
    }
}
