import Testing

@testable import ManagedStore

@Suite struct StoreStatisticsTests {
    @Test func aStoreSaysWhichCountsItKeeps() throws {
        let memory = try TestStore(.inMemory).coordinator.statistics
        #expect(memory == StoreStatistics(rows: 0, conflicts: 0))
        let sqlite = try TestStore(.sqlite).coordinator.statistics
        #expect(sqlite == StoreStatistics(statements: 0, vmSteps: 0, rows: 0, pagesWritten: 0, conflicts: 0))
    }

    @Test func whatOneDoesNotKnowIsNotKnownOfBoth() {
        let sum = StoreStatistics(statements: 2, rows: 3) + StoreStatistics(statements: 5, conflicts: 1)
        #expect(sum == StoreStatistics(statements: 7))
    }
}
