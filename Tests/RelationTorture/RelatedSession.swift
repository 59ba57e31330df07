import BenchHarness
import Foundation
import ManagedStore

/// An open store of related records.
///
/// There are accounts, lists and tags. An account must be in a list (one of the list's members), and a list with
/// members cannot be deleted. An account may be in the queue of a list, which is ordered. It may precede one other
/// account, which then follows only this one. It has tags, which have accounts.
final class RelatedSession: Sendable {
    private let place: any RelatedPlace
    private let coordinator: PersistentStoreCoordinator

    init(in place: any RelatedPlace) throws {
        self.place = place
        coordinator = try Self.open(place)
    }

    private static func open(_ place: any RelatedPlace) throws -> PersistentStoreCoordinator {
        let coordinator = PersistentStoreCoordinator(
            managedObjectModel: try ManagedObjectModel(RelatedAccount.self, RelatedList.self, RelatedTag.self))
        try place.addStore(to: coordinator)
        return coordinator
    }

    /// Creates `records` in an empty store, in one save.
    func seed(_ records: RelatedRecords) throws {
        let context = ManagedObjectContext(coordinator: coordinator)
        var lists: [Int: RelatedList] = [:]
        for record in records.lists {
            let list = RelatedList(context: context)
            list.number = record.number
            lists[record.number] = list
        }
        for record in records.tags { RelatedTag(context: context).number = record.number }
        for record in records.accounts {
            let account = RelatedAccount(context: context)
            (account.number, account.balance, account.revision) = (record.number, record.balance, record.revision)
            account.list = record.list.flatMap { lists[$0] }
        }
        try context.save()
    }

    /// Makes a worker, on the thread that it will work on.
    func makeWorker() -> RelatedWorker { RelatedWorker(coordinator) }

    /// Returns all records, each with its own view of its relations, read from a newly opened store.
    func records() throws -> RelatedRecords {
        let coordinator = try Self.open(place)
        let context = ManagedObjectContext(coordinator: coordinator)
        var records = RelatedRecords()
        records.accounts = try context.fetch(FetchRequest(RelatedAccount.self, sortBy: [SortDescriptor(\.number)]))
            .map(Self.record)
        records.lists = try context.fetch(FetchRequest(RelatedList.self, sortBy: [SortDescriptor(\.number)])).map {
            var record = RelatedRecords.List(number: $0.number)
            (record.members, record.queue) = (Set($0.members.map(\.number)), $0.queue.map(\.number))
            return record
        }
        records.tags = try context.fetch(FetchRequest(RelatedTag.self, sortBy: [SortDescriptor(\.number)])).map {
            var record = RelatedRecords.Tag(number: $0.number)
            record.accounts = Set($0.accounts.map(\.number))
            return record
        }
        try coordinator.removePersistentStore()
        return records
    }

    private static func record(_ account: RelatedAccount) -> RelatedRecords.Account {
        var record = RelatedRecords.Account(number: account.number)
        (record.revision, record.balance) = (account.revision, account.balance)
        (record.list, record.queue) = (account.list?.number, account.queue?.number)
        (record.next, record.previous) = (account.next?.number, account.previous?.number)
        record.tags = Set(account.tags.map(\.number))
        return record
    }

    /// Returns the errors in the store, found without its own code: failed integrity checks, references that lead
    /// nowhere, and references without their inverse. Empty if all is well.
    func problems() throws -> [String] { try place.problems() }

    func close() throws { try coordinator.removePersistentStore() }
}
