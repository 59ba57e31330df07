import BenchHarness
import Foundation
import TestSupport
import Testing

@testable import BenchDrivers
@testable import RelationTorture

/// The store of related records on a server.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
struct ServerRelatedStoreTests {
    private let directory: TemporaryDirectory
    private let store: ServerStore
    private let session: RelatedSession

    init() throws {
        directory = try TemporaryDirectory()
        let address = try #require(PostgreSQLServer.current).url()
        let driver = ManagedPostgreSQLDriver(at: address)
        let entity = EntitySpec(name: "Account", attributes: [])
        let configuration = StoreConfiguration(
            directory: directory.url, entity: entity, options: StoreOptions(),
            records: RecordGenerator(entity: entity, seed: 0))
        try #require(driver.server).stager(of: configuration).empty()
        store = ServerStore(configuration, at: address)
        session = try RelatedSession(in: RelatedSchema(in: directory.url, StoreOptions(), at: address))
        try session.seed(.sample)
    }

    private func end() throws {
        try session.close()
        try store.connectForUpkeep().execute("DROP SCHEMA \(store.schema) CASCADE")
    }

    @Test func operationsDoTheSameAsInAFile() throws {
        let worker = session.makeWorker()
        for operation in [
            RelatedOperation(.transfer, .error, [0, 1], amount: 30), RelatedOperation(.pair, .overwrite, [0, 1]),
            RelatedOperation(.enqueue, .error, [3], choice: 2), RelatedOperation(.tag, .storeTrump, [0], choice: 1),
            RelatedOperation(.insert, .error, [9], choice: 1), RelatedOperation(.delete, .error, [3]),
        ] {
            #expect(try worker.perform(operation) != .refused)
        }
        #expect(try worker.perform(RelatedOperation(.deleteList, .error, [0])) == .refused)
        let records = try session.records()
        #expect(records.accounts.map(\.number) == [0, 1, 2, 9] && records.accounts[0].tags == [1])
        #expect(records.accounts[1].previous == 0 && records.accounts[1].balance == 130)
        #expect(try session.problems() == [])
        try end()
    }

    @Test(arguments: [
        ("UPDATE \"ZACCOUNT\" SET \"ZLIST\" = NULL WHERE \"ZNUMBER\" = 0", "1 accounts in no list"),
        ("DELETE FROM \"ZLIST\" WHERE \"ZNUMBER\" = 0", "4 references of list lead nowhere"),
        ("UPDATE \"ZACCOUNT\" SET \"ZNEXT\" = 2 WHERE \"Z_PK\" IN (1, 3)", "2 references of next are not those of"),
        ("UPDATE \"ZACCOUNT\" SET \"ZPREVIOUS\" = 99", "4 references of previous lead nowhere"),
        ("INSERT INTO \"Z_1TAGS\" VALUES (1, 99)", "lead nowhere"),
        ("UPDATE \"ZACCOUNT\" SET \"ZNUMBER\" = 0 WHERE \"ZNUMBER\" = 1", "1 accounts with a number that another has"),
        ("UPDATE \"Z_PRIMARYKEY\" SET \"Z_MAX\" = 1", "3 keys are beyond Z_MAX"),
    ]) func whatIsWrongOnTheServerIsFound(_ sql: String, _ problem: String) throws {
        try store.connectForUpkeep().execute(sql)
        #expect(try session.problems().contains { $0.contains(problem) })
        try end()
    }
}
