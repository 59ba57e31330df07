import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// Several threads add a store to one coordinator.
@Suite struct AddingStoresTests {
    @Test(arguments: [true, false]) func oneOfManyThreadsAddsAStoreAndTheOthersAreTold(_ isSameURL: Bool) throws {
        for _ in 0..<10 {
            let directory = try TemporaryDirectory()
            let coordinator = PersistentStoreCoordinator(managedObjectModel: try ManagedObjectModel(Item.self))
            let outcomes = Locked<[StoreError.Code?]>([])
            DispatchQueue.concurrentPerform(iterations: 8) { number in
                do throws(StoreError) {
                    try coordinator.addPersistentStore(
                        .sqlite, at: directory.file(isSameURL ? "store.sqlite" : "store\(number).sqlite"))
                    outcomes.withLock { $0.append(nil) }
                } catch {
                    outcomes.withLock { $0.append(error.code) }
                }
            }
            #expect(outcomes.value.filter { $0 == nil }.count == 1)
            #expect(outcomes.value.filter { $0 == .invalidRequest }.count == 7)
            #expect(try directory.names().filter { $0.hasSuffix(".sqlite") }.count == 1)
            let context = ManagedObjectContext(coordinator: coordinator)
            Item("new", in: context)
            try context.save()
            try coordinator.removePersistentStore()
        }
    }

    @Test func afterAStoreThatCouldNotBeAddedAnotherCan() throws {
        let directory = try TemporaryDirectory()
        let coordinator = PersistentStoreCoordinator(managedObjectModel: try ManagedObjectModel(Item.self))
        let outcomes = Locked<[StoreError.Code?]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { number in
            do throws(StoreError) {
                try coordinator.addPersistentStore(
                    .sqlite, at: directory.file(number == 5 ? "store.sqlite" : "missing/\(number).sqlite"))
                outcomes.withLock { $0.append(nil) }
            } catch {
                outcomes.withLock { $0.append(error.code) }
            }
        }
        #expect(outcomes.value.filter { $0 == nil }.count == 1)
        #expect(coordinator.storeIdentifier != nil)
    }
}
