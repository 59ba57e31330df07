import Foundation
import Locking
import TestSupport
import Testing

@testable import ManagedStore

/// Several threads add a store to one coordinator.
@Suite struct AddingStoresTests {
    /// What eight threads that add a store at once are told: nil for one that added it.
    private static func outcomes(
        _ coordinator: PersistentStoreCoordinator, _ url: @Sendable (_ number: Int) -> URL
    ) -> [StoreError.Code?] {
        let outcomes = Locked<[StoreError.Code?]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { number in
            do throws(StoreError) {
                try coordinator.addPersistentStore(.sqlite, at: url(number))
                outcomes.withLock { $0.append(nil) }
            } catch {
                outcomes.withLock { $0.append(error.code) }
            }
        }
        return outcomes.value
    }

    @Test(arguments: [true, false]) func oneOfManyThreadsAddsAStoreAndTheOthersAreTold(_ isSameURL: Bool) throws {
        for _ in 0..<10 {
            let directory = try TemporaryDirectory()
            let coordinator = PersistentStoreCoordinator(managedObjectModel: try ManagedObjectModel(Item.self))
            let outcomes = Self.outcomes(coordinator) { number in
                directory.file(isSameURL ? "store.sqlite" : "store\(number).sqlite")
            }
            #expect(outcomes.filter { $0 == nil }.count == 1)
            #expect(outcomes.filter { $0 == .invalidRequest }.count == 7)
            #expect(try directory.names().filter { $0.hasSuffix(".sqlite") }.count == 1)
            let context = ManagedObjectContext(coordinator: coordinator)
            Item("new", in: context)
            try context.save()
            try coordinator.removePersistentStore()
        }
    }

    @Test(arguments: ["https://example.org/items.sqlite", "items.sqlite"])
    func aURLOfNoFileIsRefused(_ text: String) throws {
        let coordinator = PersistentStoreCoordinator(managedObjectModel: try ManagedObjectModel(Item.self))
        let url = try #require(URL(string: text))
        let error = expectError(.invalidRequest) { try coordinator.addPersistentStore(.sqlite, at: url) }
        #expect(error?.message.hasPrefix("\(text) is not the URL of a file") == true)
        try coordinator.addPersistentStore(.inMemory, at: url)
    }

    private struct OtherOptions: PersistentStoreOptions {}

    @Test func optionsOfAnotherStoreAreRefused() throws {
        let directory = try TemporaryDirectory()
        let coordinator = PersistentStoreCoordinator(managedObjectModel: try ManagedObjectModel(Item.self))
        let error = expectError(.invalidRequest) {
            try coordinator.addPersistentStore(.sqlite, at: directory.file("store.sqlite"), options: OtherOptions())
        }
        #expect(error?.message == "a SQLite store takes SQLiteStoreOptions, not OtherOptions")
        #expect(try directory.names().isEmpty)
        try coordinator.addPersistentStore(.inMemory, options: OtherOptions())
    }

    @Test func typesAreToldApartByTheirNames() {
        #expect(PersistentStoreCoordinator.StoreType.sqlite != .inMemory)
        #expect(
            ["\(PersistentStoreCoordinator.StoreType.sqlite)", "\(PersistentStoreCoordinator.StoreType.inMemory)"]
                == ["SQLite", "InMemory"])
    }

    @Test func afterAStoreThatCouldNotBeAddedAnotherCan() throws {
        let directory = try TemporaryDirectory()
        let coordinator = PersistentStoreCoordinator(managedObjectModel: try ManagedObjectModel(Item.self))
        let outcomes = Self.outcomes(coordinator) { number in
            directory.file(number == 5 ? "store.sqlite" : "missing/\(number).sqlite")
        }
        #expect(outcomes.filter { $0 == nil }.count == 1)
        #expect(coordinator.storeIdentifier != nil)
    }
}
