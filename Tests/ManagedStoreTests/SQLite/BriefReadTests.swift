import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// Which connection reads a few rows.
@Suite struct BriefReadTests {
    private let store: TestStore
    private let pool: ConnectionPool

    init() throws {
        store = try TestStore()
        try store.seed(3)
        pool = try #require(try store.context().requireStore() as? SQLiteStore).pool
    }

    private var writer: ObjectIdentifier {
        get throws { try pool.write { ObjectIdentifier($0) } }
    }

    /// The connection that a brief read gets, which sees all rows.
    private func reader(briefly isBrief: Bool = true) throws -> ObjectIdentifier {
        try pool.read(briefly: isBrief) { connection throws(StoreError) in
            let rows = try connection.statement("SELECT COUNT(*) FROM ZITEM")
            defer { rows.reset() }
            #expect(try rows.step() && rows.int64(0) == 3)
            return ObjectIdentifier(connection)
        }
    }

    @Test func afterAWriteItIsTheOneThatWrote() throws {
        let writer = try writer
        #expect(try reader() == writer)
        #expect(try reader() == writer)
    }

    @Test func aReaderThatHasSeenTheLastWriteComesFirst() throws {
        let writer = try writer
        let other = try reader(briefly: false)
        #expect(other != writer)
        #expect(try reader() == other)
        _ = try self.writer
        #expect(try reader() == writer)
    }

    @Test func itDoesNotWaitForAWrite() throws {
        let writer = try writer
        try pool.write { connection throws(StoreError) in
            #expect(ObjectIdentifier(connection) == writer)
            do { #expect(try reader() != writer) } catch { Issue.record(error) }
        }
    }

    @Test func aRemovedStoreHasNone() throws {
        pool.close()
        expectError(.noStore) { _ = try pool.read(briefly: true) { _ throws(StoreError) in } }
    }

    /// Objects are read while other threads save, from whichever connection is free.
    @Test func everyReadSeesWhatItsThreadHasSaved() async throws {
        let store = try TestStore()
        try store.seed(40)
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<4 {
                group.addTask {
                    do {
                        let context = store.context(.privateQueue)
                        try context.performAndWait {
                            let ids = try context.fetchObjectIDs(FetchRequest(Item.self)).enumerated()
                                .filter { $0.offset % 4 == thread }.map(\.element)
                            for round in 0..<50 {
                                for id in ids {
                                    let item = try context.existingObject(with: id, as: Item.self)
                                    #expect(round == 0 || item.name == "\(thread) \(round - 1)")
                                    item.name = "\(thread) \(round)"
                                }
                                try context.save()
                                try context.refreshAllObjects()
                            }
                        }
                    } catch { Issue.record(error) }
                }
            }
        }
    }
}
