import BenchHarness
import Foundation
import ManagedStore

extension ManagedDriver: RelatedStoreDriver {
    /// Opens the store of related records in the directory, and creates it if there is none.
    public func openRelated(in directory: URL, options: StoreOptions) throws -> any RelatedSession {
        try ManagedRelatedSession(in: RelatedFile(in: directory, options))
    }
}

/// A session on a store of related records.
final class ManagedRelatedSession: RelatedSession {
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

    func makeWorker() -> any RelatedWorker { ManagedRelatedWorker(coordinator) }

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

    func checkFiles() throws -> [String] { try place.problems() }

    func close() throws { try coordinator.removePersistentStore() }
}
