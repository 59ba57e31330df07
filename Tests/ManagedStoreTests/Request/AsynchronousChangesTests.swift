import Foundation
import ManagedStore
import TestSupport
import Testing

/// The context may change while an asynchronous fetch is under way: what is delivered reflects it.
@Suite struct AsynchronousChangesTests {
    private func context(_ backend: Backend, _ count: Int = 5) throws -> ManagedObjectContext {
        let store = try TestStore(backend)
        try store.seed(count)
        return store.context(.privateQueue)
    }

    /// The names delivered when `change` runs in the block that began the fetch, so certainly before the delivery.
    private func names(
        _ context: ManagedObjectContext, limit: Int = 0, offset: Int = 0,
        _ change: @escaping @Sendable ([Item]) throws -> Void
    ) async throws -> [String] {
        let run = try await context.perform {
            let held = try context.items()
            var request = AsynchronousFetchTests.request
            (request.fetchLimit, request.fetchOffset) = (limit, offset)
            let run = try AsynchronousRun(request, on: context)
            try change(held)
            return run
        }
        await run.delivered()
        return try await context.perform { run.result.finalResult?.map(\.name) ?? [] }
    }

    @Test(arguments: Backend.allCases, [false, true])
    func insertionsAreDelivered(_ backend: Backend, _ saves: Bool) async throws {
        let context = try context(backend, 3)
        let delivered = try await names(context) { _ in
            Item("new", at: 0.5, in: context)
            if saves { try context.save() }
        }
        #expect(delivered == ["Item 0", "new", "Item 1", "Item 2"])
    }

    @Test(arguments: Backend.allCases, [false, true])
    func deletedObjectsAreNotDelivered(_ backend: Backend, _ saves: Bool) async throws {
        let context = try context(backend, 3)
        let delivered = try await names(context) { items in
            context.delete(items[1])
            if saves { try context.save() }
        }
        #expect(delivered == ["Item 0", "Item 2"])
    }

    @Test(arguments: Backend.allCases, [false, true])
    func changesWin(_ backend: Backend, _ saves: Bool) async throws {
        let context = try context(backend, 3)
        let delivered = try await names(context) { items in
            items[0].name = "changed"
            items[0].createdAt = Date(timeIntervalSinceReferenceDate: 9)
            if saves { try context.save() }
        }
        #expect(delivered == ["Item 1", "Item 2", "changed"])
    }

    @Test(arguments: Backend.allCases, [false, true])
    func theLimitHoldsWithAnyInsertion(_ backend: Backend, _ saves: Bool) async throws {
        let context = try context(backend, 5)
        let delivered = try await names(context, limit: 3) { _ in
            Item("new", at: 0.5, in: context)
            if saves { try context.save() }
        }
        #expect(delivered == ["Item 0", "new", "Item 1"])
    }

    /// The rows that take the places of deleted or moved ones are those that the store did not return before.
    @Test(arguments: Backend.allCases, [false, true])
    func theLimitHoldsWithAnyDeletion(_ backend: Backend, _ saves: Bool) async throws {
        let context = try context(backend)
        let delivered = try await names(context, limit: 3) { items in
            context.delete(items[0])
            if saves { try context.save() }
        }
        #expect(delivered == ["Item 1", "Item 2", "Item 3"])
    }

    @Test(arguments: Backend.allCases, [false, true])
    func theLimitHoldsWithAnyMove(_ backend: Backend, _ saves: Bool) async throws {
        let context = try context(backend)
        let delivered = try await names(context, limit: 3) { items in
            items[0].createdAt = .distantFuture
            if saves { try context.save() }
        }
        #expect(delivered == ["Item 1", "Item 2", "Item 3"])
    }

    @Test(arguments: Backend.allCases, [false, true])
    func theOffsetHoldsWithAnyInsertion(_ backend: Backend, _ saves: Bool) async throws {
        let context = try context(backend, 3)
        let delivered = try await names(context, limit: 1, offset: 1) { _ in
            Item("first", at: -1, in: context)
            if saves { try context.save() }
        }
        #expect(delivered == ["Item 0"])
    }

    @Test(arguments: Backend.allCases) func aResetMeanwhileDeliversObjectsOfTheContext(_ backend: Backend) async throws
    {
        let context = try context(backend, 20_000)
        let run = try await AsynchronousRun.start(AsynchronousFetchTests.request, on: context)
        while run.deliveries.value == 0 { try await context.perform { context.reset() } }
        await run.delivered()
        try await context.perform { context.reset() }
        let second = try await AsynchronousRun.start(AsynchronousFetchTests.request, on: context)
        for _ in 0..<6 {
            try await context.perform { if second.deliveries.value == 0 { context.reset() } }
        }
        await second.delivered()
        let gone = try await context.perform {
            second.result.finalResult?.count { $0.managedObjectContext !== context }
        }
        #expect(gone == 0)
    }

    @Test(arguments: Backend.allCases) func aFetchAndSavesAtOnceAgree(_ backend: Backend) async throws {
        let context = try context(backend, 9_000)
        let ids = try await context.perform { try context.fetchObjectIDs(AsynchronousFetchTests.request) }
        let run = try await AsynchronousRun.start(AsynchronousFetchTests.request, on: context)
        for index in 0..<30 {
            try await context.perform {
                let item = try context.item(ids[index * 300])
                if index % 3 == 0 { context.delete(item) } else { item.name = "changed" }
                Item("new", at: 1e6, in: context)
                try context.save()
            }
        }
        await run.delivered()
        let (found, gone) = try await context.perform {
            let items = run.result.finalResult ?? []
            return (items.map(\.objectID), items.count { $0.managedObjectContext == nil })
        }
        #expect(Set(found).count == found.count)
        #expect(found.count >= 8_990 && found.count <= 9_030)
        // Only what was deleted after the delivery may be gone.
        #expect(gone <= 10)
    }

    @Test(arguments: Backend.allCases) func whatAnotherContextSavesAndIsMergedIsDelivered(_ backend: Backend)
        async throws
    {
        let store = try TestStore(backend)
        let ids = try store.seed(3)
        let context = store.context(.privateQueue)
        let run = try await context.perform {
            let run = try AsynchronousRun(AsynchronousFetchTests.request, on: context)
            let other = store.context(.privateQueue)
            let recorder = NotificationRecorder(ManagedObjectContext.didSaveObjectsNotification, from: other)
            try other.performAndWait {
                other.delete(try other.item(ids[0]))
                try other.item(ids[1]).name = "theirs"
                Item("new", at: 9, in: other)
                try other.save()
            }
            try recorder.notifications.first.map { try context.mergeChanges(fromContextDidSave: $0) }
            return run
        }
        await run.delivered()
        let names = try await context.perform { run.result.finalResult?.map(\.name) }
        #expect(names == ["theirs", "Item 2", "new"])
    }

    @Test(arguments: Backend.allCases) func objectsAreTheOnesThatTheContextHas(_ backend: Backend) async throws {
        let context = try context(backend, 5_000)
        let run = try await AsynchronousRun.start(AsynchronousFetchTests.request, on: context)
        await run.delivered()
        try await context.perform {
            let found = run.result.finalResult ?? []
            let again = try context.items()
            #expect(again == found)
        }
    }
}
