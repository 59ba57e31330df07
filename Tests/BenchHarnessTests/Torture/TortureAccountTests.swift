import Testing

@testable import BenchHarness

@Suite struct TortureAccountTests {
    private var account: TortureAccount {
        var death = TortureDeath(life: TorturedLife(number: 4, steps: [], end: .kill))
        (death.isKilled, death.stops, death.failedOperations) = (true, 2, 5)
        (death.problems, death.failures) = (["process 4 did not end"], ["process 4: no"])
        var ledger = Ledger()
        var update = LoadOperation(.update)
        (update.changes, update.change) = ([3], .attributes([1], revision: 9))
        ledger.note(update, start: 1_000, end: 2_000, isAcknowledged: true)
        ledger.note(update, start: 3_000, end: 4_000, isAcknowledged: false)
        var account = TortureAccount([death])
        account.ledgers = [ledger]
        account.evidence = ["what another task read"]
        (account.clock, account.isInterrupted) = (MeetingClock(offset: 100, uncertainty: 10), true)
        return account
    }

    @Test func everythingThatAShardHandsOverIsReadBack() throws {
        let packed = account.packed
        let read = try TortureAccount(packed: packed)
        #expect((read.processes, read.kills, read.stops, read.failedOperations) == (1, 1, 2, 5))
        #expect(read.problems == account.problems && read.failures == account.failures && read.isInterrupted)
        #expect(read.ledgers.map(\.entries) == account.ledgers.map(\.entries) && read.evidence == account.evidence)
        #expect(read.ledgers.map(\.doubtful) == account.ledgers.map(\.doubtful) && read.clock == account.clock)
        for count in packed.indices {
            #expect(throws: (any Error).self) { try TortureAccount(packed: packed.prefix(count)) }
        }
    }

    @Test func whatWentWrongIsOfAShardAndTimesAreByTheCommonClock() throws {
        let common = account.ofShard(2)
        #expect(common.problems == ["shard 2: process 4 did not end"] && common.failures == ["shard 2: process 4: no"])
        let writes = try #require(common.ledgers[0].entries[3]?.writes[1])
        #expect(writes.map(\.start) == [1_090, 3_090] && writes.map(\.end) == [2_110, 4_110])
    }
}
