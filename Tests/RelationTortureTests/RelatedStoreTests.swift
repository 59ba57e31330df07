import BenchHarness
import CSQLite
import Foundation
import TestSupport
import Testing

@testable import BenchDrivers
@testable import RelationTorture

/// The store of related records that torture uses.
@Suite struct RelatedStoreTests {
    private let directory: TemporaryDirectory
    private let session: RelatedSession

    init() throws {
        directory = try TemporaryDirectory()
        session = try RelatedSession(in: RelatedFile(in: directory.url, StoreOptions(synchronous: .off)))
        try session.seed(.sample)
    }

    private func perform(_ operations: RelatedOperation...) throws -> [RelatedOutcome] {
        let worker = session.makeWorker()
        return try operations.map { try worker.perform($0) }
    }

    @Test func operationsDoWhatTheySay() throws {
        let outcomes = try perform(
            RelatedOperation(.transfer, .error, [0, 1], amount: 30), RelatedOperation(.move, .error, [0], choice: 1),
            RelatedOperation(.pair, .overwrite, [0, 1]), RelatedOperation(.pair, .rollback, [2, 1]),
            RelatedOperation(.enqueue, .error, [0], choice: 0), RelatedOperation(.enqueue, .error, [3], choice: 2),
            RelatedOperation(.tag, .storeTrump, [0], choice: 1), RelatedOperation(.insert, .error, [9], choice: 1),
            RelatedOperation(.delete, .error, [3]), RelatedOperation(.insertList, .error, [7]))
        #expect(
            outcomes[0]
                == .done([
                    RelatedMark(account: 0, revision: 2, balance: 70, list: 0),
                    RelatedMark(account: 1, revision: 2, balance: 130, list: 0),
                ]))
        #expect(!outcomes.contains(.refused))
        let records = try session.records()
        #expect(records.accounts.map(\.number) == [0, 1, 2, 9] && records.lists.map(\.number) == [0, 1, 7])
        #expect(records.accounts[0].list == 1 && records.accounts[0].next == nil && records.accounts[0].tags == [1])
        #expect(records.accounts[1].previous == 2 && records.accounts[2].next == 1)
        #expect(records.lists[0].queue == [0] && records.lists[1].members == [0, 9])
        #expect(try session.problems() == [])
        try session.close()
    }

    @Test func whatCannotBeDoneIsRefused() throws {
        let outcomes = try perform(
            RelatedOperation(.deleteList, .error, [0]), RelatedOperation(.move, .error, [77]),
            RelatedOperation(.deleteList, .error, [77]))
        #expect(outcomes == [.refused, .refused, .refused])
        #expect(try session.problems() == [])
        try session.close()
    }

    @Test(arguments: [
        ("UPDATE ZACCOUNT SET ZLIST = NULL WHERE ZNUMBER = 0", "1 accounts in no list"),
        ("DELETE FROM ZLIST WHERE ZNUMBER = 0", "4 references of list lead nowhere"),
        ("UPDATE ZACCOUNT SET ZNEXT = 2 WHERE Z_PK IN (1, 3)", "2 references of next are not those of previous"),
        ("UPDATE ZACCOUNT SET ZPREVIOUS = 99", "4 references of previous lead nowhere"),
        ("INSERT INTO Z_1TAGS (Z_1ACCOUNTS, Z_3TAGS) VALUES (1, 99)", "1 accounts' tags lead nowhere"),
        ("INSERT INTO Z_1TAGS (Z_1ACCOUNTS, Z_3TAGS) VALUES (99, 1)", "1 tags' accounts lead nowhere"),
        ("UPDATE ZACCOUNT SET ZNUMBER = 0 WHERE ZNUMBER = 1", "1 accounts with a number that another has"),
    ]) func whatIsWrongWithAFileIsFound(_ sql: String, _ problem: String) throws {
        try PlainConnection(file: RecordFile.url(in: directory.url), flags: SQLITE_OPEN_READWRITE).execute(sql)
        #expect(try session.problems().contains(problem))
        try session.close()
    }
}
