import Foundation
import ManagedStore

/// The list's file, and the contexts on it.
///
/// A coordinator opens the file and may be shared by any number of contexts. Each context is a scratch pad of its own,
/// with its own objects, which belong to its queue.
struct TodoStore: Sendable {
    let file: URL
    let coordinator: PersistentStoreCoordinator
    /// What is shown comes from here: as in an app, on the main queue.
    let viewContext: ManagedObjectContext

    /// Opens the list in `file`; makes it, and its folder, if it is not there.
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

    /// A context for work that should not hold up what is shown. What it saves reaches the view context when it is
    /// merged there.
    func backgroundContext() -> ManagedObjectContext {
        ManagedObjectContext(concurrencyType: .privateQueue, coordinator: coordinator)
    }

    /// Writes the log back into the file, so that a closed list is one file.
    func close() throws {
        try coordinator.removePersistentStore()
    }
}
