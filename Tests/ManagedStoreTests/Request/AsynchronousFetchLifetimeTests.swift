import Foundation
import ManagedStore
import Testing

@Suite struct AsynchronousFetchLifetimeTests {
    /// The result is reachable from its own progress handler, as it is when the handler offers to cancel.
    @Test func aDeliveredResultAndItsObjectsAreFreedWithTheLastReference() async throws {
        let coordinator = PersistentStoreCoordinator(managedObjectModel: try ManagedObjectModel(Item.self))
        try coordinator.addPersistentStore(.inMemory)
        let context = ManagedObjectContext(concurrencyType: .privateQueue, coordinator: coordinator)
        try await context.perform {
            for number in 0..<10 { Item(context: context).name = "Item \(number)" }
            for case let item as Item in context.insertedObjects { item.createdAt = Date() }
            try context.save()
        }
        let held = WeakResult()
        await withCheckedContinuation { (delivered: CheckedContinuation<Void, Never>) in
            context.perform {
                let request = AsynchronousFetchRequest(fetchRequest: FetchRequest(Item.self)) { _ in delivered.resume()
                }
                guard let result = try? context.execute(request) else { return }
                held.result = result
                result.progressHandler = { _ in if result.isCancelled { result.cancel() } }
            }
        }
        // The delivering block ends after the completion block has returned.
        while held.result != nil { try await Task.sleep(for: .milliseconds(1)) }
        try await context.perform { #expect(context.registeredObjects.isEmpty) }
    }
}

private final class WeakResult: @unchecked Sendable {
    // Unchecked: written once before it is read.
    weak var result: AsynchronousFetchResult<Item>?
}
