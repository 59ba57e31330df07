import BenchHarness
import CLMDB
import Testing

@testable import PeerDrivers

@Suite struct LMDBDriverTests {
    /// The phase in which each cheat is found, and what the failure says.
    private static let verdicts: [CheatingLMDBDriver.Cheat: (phase: String, reason: String)] = [
        .overlay: ("batch", "the store does not hold the expected values"),
        .late: ("sync", "the records read within the clock are not those handed over"),
        .invention: ("sync", "differ from those expected, or hold other values"),
        .unsynced: ("sync", "the store works with synchronous off; expected normal"),
        .unversioned: ("batch", "the versions of the records do not count the saves that wrote them"),
    ]

    @Test(arguments: CheatingLMDBDriver.Cheat.allCases)
    func aCheatIsFound(_ cheat: CheatingLMDBDriver.Cheat) async throws {
        let verdict = try #require(Self.verdicts[cheat])
        let run = try await ScenarioRun(Scenarios.brief, [CheatingLMDBDriver(cheat)])
        #expect(run.code == .failure)
        let row = try #require(run.rows.first { $0.phase == verdict.phase })
        #expect(row.status == .failed)
        #expect(row.error.contains(verdict.reason))
    }

    @Test func aCheckpointAfterUpdatesThatWereNotWrittenIsNoResult() async throws {
        let run = try await ScenarioRun(Scenarios.brief, [CheatingLMDBDriver(.overlay)])
        #expect(try #require(run.rows.first { $0.phase == "checkpoint" }).status == .failed)
    }

    @Test(arguments: [
        (StoreOptions.Synchronous.off, MDB_NOSYNC), (.normal, MDB_NOMETASYNC), (.full, 0), (.extra, 0),
    ])
    func theEnvironmentSyncsAsTheScenarioSays(_ synchronous: StoreOptions.Synchronous, flags: Int32) throws {
        let store = try TemporaryStore(StoreOptions(synchronous: synchronous))
        let session = try LMDBSession(store.configuration)
        defer { session.close() }
        #expect(synchronous.flags == flags)
        #expect(session.settings().map(\.synchronous) == [synchronous])
        withExtendedLifetime(store) {}
    }

    @Test func anUpdateDoesNotOverwriteAnotherSessionsChange() throws {
        let store = try TemporaryStore()
        let (mine, theirs) = (try LMDBSession(store.configuration), try LMDBSession(store.configuration))
        try mine.seed(SeedWork(), records: 10, monitor: PhaseMonitor())
        let work = UpdateWork(
            mode: .perObject, set: [AttributeChange(attribute: "done", operation: .assign(.bool(true)))])
        try mine.prepareUpdate(work)
        try theirs.update(UpdateWork(mode: .batch, set: work.set), monitor: PhaseMonitor())
        #expect(throws: RecordConflict.self) { try mine.update(work, monitor: PhaseMonitor()) }
        #expect(mine.counters().conflicts == 1)
        theirs.close()
        mine.close()
        withExtendedLifetime(store) {}
    }
}
