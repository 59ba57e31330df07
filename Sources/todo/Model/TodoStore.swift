import Foundation
import ManagedStore

/// The list's file, and the contexts on it.
///
/// A coordinator opens the file, and any number of contexts share it. Each context is a scratch pad with its own
/// objects, which belong to its queue.
struct TodoStore: Sendable {
    let file: URL
    let coordinator: PersistentStoreCoordinator
    /// The context of the displayed list, on the main queue as in an app.
    let viewContext: ManagedObjectContext

    /// Opens the list in `file`; creates the file and its folder if necessary.
    init(at file: URL) throws {
        self.file = file
        let folder = file.deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw TodoError(
                "the folder \(folder.path(percentEncoded: false)) cannot be made; choose another place for the list with "
                    + "--store FILE or $TODO_STORE")
        }
        coordinator = PersistentStoreCoordinator(managedObjectModel: try ManagedObjectModel(Item.self))
        try coordinator.addPersistentStore(.sqlite, at: file)
        viewContext = ManagedObjectContext(concurrencyType: .mainQueue, coordinator: coordinator)
        viewContext.name = "view"
    }

    /// Makes a context for work that must not block the display. Its saves reach the view context when they are merged
    /// there.
    func backgroundContext() -> ManagedObjectContext {
        ManagedObjectContext(concurrencyType: .privateQueue, coordinator: coordinator)
    }

    /// Writes the log back into the file, so that a closed list is a single file.
    func close() throws {
        try coordinator.removePersistentStore()
    }
}
