import Foundation
import Locking
import TestSupport
import Testing

@testable import ManagedStore

/// A server that ends, or is killed, while it works for several threads, and is started again.
@Suite(.serialized, .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"), .timeLimit(.minutes(10)))
struct EndedServerTests {
    private static let lanes = 4

    private func saveWhileTheServerEnds(_ ending: PostgreSQLServer.Ending, _ times: Int) throws {
        // A transaction waits before it is written down, so that most are under way when the server ends.
        let server = try PostgreSQLServer(settings: ["commit_delay=3000", "commit_siblings=1"])
        let coordinator = try PersistentStoreCoordinator.ofItems(at: server.url())
        try SaveLedger.makeLanes(Self.lanes, coordinator)
        let ledger = SaveLedger()
        var generator = SeededGenerator(seed: 11)
        try ledger.whileSaving(lanes: Self.lanes, coordinator) {
            for _ in 0..<times {
                let goal = ledger.saved + Int.random(in: 5..<60, using: &generator)
                while ledger.saved < goal { usleep(UInt32.random(in: 0..<2_000, using: &generator)) }
                try server.restart(ending)
            }
            let goal = ledger.saved + Self.lanes
            while ledger.saved < goal { usleep(1_000) }
        }
        try ledger.check(lanes: Self.lanes, coordinator)
    }

    @Test func aKilledServerHasEachSaveThatSucceededAndNoneThatFailed() throws {
        try saveWhileTheServerEnds(.kill, 6)
    }

    @Test(arguments: [PostgreSQLServer.Ending.fast, .immediate])
    func aRestartedServerHasEachSaveThatSucceededAndNoneThatFailed(_ ending: PostgreSQLServer.Ending) throws {
        try saveWhileTheServerEnds(ending, 3)
    }
}
