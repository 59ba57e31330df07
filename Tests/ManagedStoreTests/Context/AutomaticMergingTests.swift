import Foundation
import Locking
import ManagedStore
import TestSupport
import Testing

@Suite struct AutomaticMergingTests {
    /// The items that `context` has, held as long as the result.
    private func items(_ context: ManagedObjectContext) async throws -> Locked<HeldItems> {
        let held = Locked(HeldItems())
        try await context.perform { try held.withLock { $0.items = try context.items() } }
        return held
    }

    private func names(_ held: Locked<HeldItems>, _ context: ManagedObjectContext) async throws -> [String] {
        try await context.perform { held.value.items.map(\.name) }
    }

    @Test(arguments: Backend.allCases, [ManagedObjectContext.ConcurrencyType.privateQueue, .mainQueue])
    func whatOthersSaveIsMerged(_ backend: Backend, _ type: ManagedObjectContext.ConcurrencyType) async throws {
        let store = try TestStore(backend)
        let ids = try store.seed(2)
        let context = store.context(type)
        context.automaticallyMergesChangesFromParent = true
        let held = try await items(context)
        let other = store.context(.privateQueue)
        try await other.perform {
            try other.item(ids[0]).name = "theirs"
            other.delete(try other.item(ids[1]))
            try other.save()
        }
        #expect(try await names(held, context) == ["theirs", "Item 1"])
        #expect(try await context.perform { held.value.items[1].managedObjectContext == nil })
    }

    @Test func savesAreMergedInOrder() async throws {
        let store = try TestStore()
        let ids = try store.seed(1)
        let context = store.context(.privateQueue)
        context.automaticallyMergesChangesFromParent = true
        let held = try await items(context)
        let seen = Locked<[String]>([])
        let token = NotificationCenter.default.addObserver(
            forName: ManagedObjectContext.didChangeObjectsNotification, object: context, queue: nil
        ) { _ in seen.withLock { $0.append(held.value.items[0].name) } }
        let other = store.context(.privateQueue)
        try await other.perform {
            let item = try other.item(ids[0])
            for round in 1...50 {
                item.name = "\(round)"
                try other.save()
            }
        }
        #expect(try await names(held, context) == ["50"])
        NotificationCenter.default.removeObserver(token)
        #expect(seen.value.count == 50)
        #expect(seen.value.compactMap { Int($0) } == seen.value.compactMap { Int($0) }.sorted())
    }

    @Test func nothingIsMergedUnlessSwitchedOn() async throws {
        let store = try TestStore()
        let ids = try store.seed(1)
        let context = store.context(.privateQueue)
        #expect(!context.automaticallyMergesChangesFromParent)
        let held = try await items(context)
        #expect(try await names(held, context) == ["Item 0"])
        let other = store.context(.privateQueue)
        try await other.perform {
            try other.item(ids[0]).name = "theirs"
            try other.save()
        }
        #expect(try await names(held, context) == ["Item 0"])
    }

    @Test func switchingOffStopsWhatIsWaitingToo() async throws {
        let store = try TestStore()
        let ids = try store.seed(1)
        let context = store.context(.privateQueue)
        context.automaticallyMergesChangesFromParent = true
        let held = try await items(context)
        #expect(try await names(held, context) == ["Item 0"])
        let other = store.context(.privateQueue)
        try await context.perform {
            try other.performAndWait {
                try other.item(ids[0]).name = "theirs"
                try other.save()
            }
            context.automaticallyMergesChangesFromParent = false
        }
        #expect(try await names(held, context) == ["Item 0"])
        context.automaticallyMergesChangesFromParent = true
        try await other.perform {
            try other.item(ids[0]).name = "again"
            try other.save()
        }
        #expect(try await names(held, context) == ["again"])
    }

    @Test func savesThroughAnotherCoordinatorAreNotHeardOf() async throws {
        let store = try TestStore()
        let ids = try store.seed(1)
        let context = store.context(.privateQueue)
        context.automaticallyMergesChangesFromParent = true
        let held = try await items(context)
        #expect(try await names(held, context) == ["Item 0"])
        let other = ManagedObjectContext(
            concurrencyType: .privateQueue, coordinator: try store.secondCoordinator())
        try await other.perform {
            try other.item(ids[0]).name = "theirs"
            try other.save()
        }
        #expect(try await names(held, context) == ["Item 0"])
    }

    @Test func itDoesNotKeepTheContextAlive() throws {
        let store = try TestStore()
        weak var gone: ManagedObjectContext?
        do {
            let context = store.context(.privateQueue)
            context.automaticallyMergesChangesFromParent = true
            gone = context
        }
        #expect(gone == nil)
        try store.seed(1)
    }

    @Test func aConfinementContextCannotMergeByItself() async {
        await #expect(processExitsWith: .failure) {
            try TestStore(.inMemory).context(.confinement).automaticallyMergesChangesFromParent = true
        }
    }

    @Test func aSaveThatCannotBeMergedIsToldOf() async throws {
        let store = try TestStore(.inMemory)
        let ids = try store.seed(1)
        let context = store.context(.privateQueue)
        context.automaticallyMergesChangesFromParent = true
        let held = try await items(context)
        #expect(try await names(held, context) == ["Item 0"])
        let failures = Locked<[ContextMergeFailure]>([])
        let token = NotificationCenter.default.addObserver(
            forName: ManagedObjectContext.didFailToMergeNotification, object: context, queue: nil
        ) { notification in
            #expect((notification.userInfo?["error"] as? StoreError)?.code == .noStore)
            if let failure = ContextMergeFailure(notification) { failures.withLock { $0.append(failure) } }
        }
        defer { NotificationCenter.default.removeObserver(token) }
        // The merge waits for this block, and then there is no store any more.
        try await context.perform {
            let other = store.context()
            try other.item(ids[0]).name = "theirs"
            try other.save()
            try store.coordinator.removePersistentStore()
        }
        #expect(try await names(held, context) == ["Item 0"])
        let failure = try #require(failures.value.first)
        #expect(failures.value.count == 1 && failure.error.code == .noStore && failure.context === context)
        #expect(failure.save.map { Array($0.updatedObjectIDs) } == ids)
    }
}
