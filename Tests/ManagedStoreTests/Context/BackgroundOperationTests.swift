import Foundation
import Locking
import ManagedStore
import TestSupport
import Testing

/// The chain of the to-do list: an operation with its own context saves, and its did-save is merged on the main queue.
@Suite struct BackgroundOperationTests {
    private final class ImportOperation: Operation, @unchecked Sendable {
        // Unchecked: configured before it is queued.
        let coordinator: PersistentStoreCoordinator
        let changed: ManagedObjectID
        let deleted: ManagedObjectID
        let failure = Locked<(any Error)?>(nil)

        init(_ coordinator: PersistentStoreCoordinator, changed: ManagedObjectID, deleted: ManagedObjectID) {
            (self.coordinator, self.changed, self.deleted) = (coordinator, changed, deleted)
        }

        override func main() {
            do { try work() } catch { failure.withLock { $0 = error } }
        }

        private func work() throws {
            let context = ManagedObjectContext(coordinator: coordinator)
            let entity = try EntityDescription.entity(forName: "Item", in: context)
            let new = try EntityDescription.insertNewObject(forEntityName: entity.name, into: context)
            try new.setValue("from the background", forKey: "name")
            try new.setValue(Date(timeIntervalSinceReferenceDate: 99), forKey: "createdAt")
            try context.existingObject(with: changed).setValue("changed", forKey: "name")
            context.delete(try context.existingObject(with: deleted))
            try context.save()
        }
    }

    @Test(arguments: Backend.allCases) func aBackgroundSaveIsMergedOnTheMainQueue(_ backend: Backend) async throws {
        let store = try TestStore(backend)
        let ids = try store.seed(3)
        let main = store.context(.mainQueue)
        let names = try await MainActor.run { try main.items().map(\.name) }
        #expect(names.count == 3)
        let operation = ImportOperation(store.coordinator, changed: ids[0], deleted: ids[1])
        let merged = try await mergedNames(operation, into: main)
        #expect(merged == ["changed", "Item 2", "from the background"])
        #expect(operation.failure.value == nil)
    }

    @MainActor @Test(arguments: Backend.allCases)
    func theDelegateOfAListOnTheMainQueueHearsOfABackgroundSave(_ backend: Backend) async throws {
        let store = try TestStore(backend)
        let ids = try store.seed(3)
        let main = store.context(.mainQueue)
        let controller = FetchedResultsController(
            fetchRequest: FetchRequest(Item.self, sortBy: [SortDescriptor(\.createdAt)]), managedObjectContext: main)
        let recorder = ListRecorder()
        controller.delegate = recorder
        try controller.performFetch()
        let operation = ImportOperation(store.coordinator, changed: ids[0], deleted: ids[1])
        let merged = try await mergedNames(operation, into: main)
        let inserted = recorder.objects[.insert]?.map(\.name)
        #expect(inserted == ["from the background"] && recorder.objects[.update]?.map(\.objectID) == [ids[0]])
        #expect(recorder.take() == ["will", "delete", "insert", "update", "did"])
        #expect(controller.fetchedObjects?.map(\.name) == merged)
        #expect(operation.failure.value == nil)
    }

    /// Runs `operation`, and hands over what the main context shows once it has merged the save.
    private func mergedNames(_ operation: Operation, into main: ManagedObjectContext) async throws -> [String] {
        let held = Locked(HeldItems())
        try await main.perform { held.withLock { $0.items = (try? main.items()) ?? [] } }
        let result = Locked<[String]>([])
        await withCheckedContinuation { continuation in
            let token = NotificationCenter.default.addObserver(
                forName: ManagedObjectContext.didSaveObjectsNotification, object: nil, queue: nil
            ) { notification in
                guard let message = ContextDidSave(notification), message.context !== main,
                    message.context.persistentStoreCoordinator === main.persistentStoreCoordinator
                else { return }
                main.perform {
                    try? main.mergeChanges(fromContextDidSave: message)
                    result.withLock { $0 = ((try? main.items()) ?? []).map(\.name) }
                    continuation.resume()
                }
            }
            result.withLock { _ in _ = token }
            OperationQueue().addOperation(operation)
        }
        try await main.perform { held.withLock { $0.items = [] } }
        return result.value
    }

    @Test func manyWritersAndOneReaderAgree() async throws {
        let store = try TestStore()
        let ids = try store.seed(40)
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    let context = store.context(.privateQueue)
                    for index in stride(from: writer, to: 40, by: 4) {
                        try? await context.perform {
                            try context.item(ids[index]).name = "writer \(writer)"
                            Item("new", at: 100, in: context)
                            try context.save()
                        }
                    }
                }
            }
        }
        let items = try store.context().items()
        #expect(items.count == 80)
        #expect(items.prefix(40).enumerated().allSatisfy { $0.element.name == "writer \($0.offset % 4)" })
    }
}
