import Foundation
import ManagedStore

/// A writer that changes a row after a context has read it.
enum OtherWriter: CaseIterable {
    /// Another context of the coordinator.
    case context
    /// A batch request.
    case batch
    /// A context of another coordinator on the same file, as in another process.
    case coordinator
    /// SQLite itself.
    case database

    /// Sets the item's name to "theirs" and marks it as done.
    func change(_ id: ManagedObjectID, in store: TestStore) throws {
        switch self {
        case .context: try change(id, in: store.context())
        case .coordinator: try change(id, in: ManagedObjectContext(coordinator: try store.secondCoordinator()))
        case .batch:
            _ = try store.context().execute(
                BatchUpdateRequest(Item.self, set: ["name": "theirs", "done": true], predicate: .objectID(in: [id])))
        case .database:
            try store.database().execute(
                "UPDATE ZITEM SET ZNAME = 'theirs', ZDONE = 1, Z_OPT = Z_OPT + 1 WHERE Z_PK = \(key(id))")
        }
    }

    private func change(_ id: ManagedObjectID, in context: ManagedObjectContext) throws {
        let item = try context.item(id)
        item.name = "theirs"
        item.done = true
        try context.save()
    }

    /// Deletes the item.
    func delete(_ id: ManagedObjectID, in store: TestStore) throws {
        switch self {
        case .context: try delete(id, in: store.context())
        case .coordinator: try delete(id, in: ManagedObjectContext(coordinator: try store.secondCoordinator()))
        case .batch: _ = try store.context().execute(BatchDeleteRequest(objectIDs: [id]))
        case .database: try store.database().execute("DELETE FROM ZITEM WHERE Z_PK = \(key(id))")
        }
    }

    private func delete(_ id: ManagedObjectID, in context: ManagedObjectContext) throws {
        context.delete(try context.item(id))
        try context.save()
    }

    private func key(_ id: ManagedObjectID) -> String {
        String(id.uriRepresentation().lastPathComponent.dropFirst())
    }
}
