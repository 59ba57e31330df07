import Foundation
import ManagedStore

/// Writes what changes in the list as it changes: `+` new, `-` gone, `~` changed, `>` changed and moved.
///
/// The fetched results controller keeps the list. It hears of every change in its context, from any source, and tells
/// its delegate what to insert, delete, move and update, which is all that a table in a window would need as well.
final class LiveList: FetchedResultsControllerDelegate, @unchecked Sendable {
    // Unchecked: made and used on the context's queue alone, where the controller calls its delegate too.
    private let controller: FetchedResultsController<Item>
    /// What is on the screen. An object that is gone cannot be asked for its name any more.
    private var lines: [ManagedObjectID: String] = [:]

    /// Fetches the list. To be called on the context's queue.
    init(_ context: ManagedObjectContext) throws {
        controller = FetchedResultsController(fetchRequest: Item.sorted(), managedObjectContext: context)
        try controller.performFetch()
        lines = Dictionary(uniqueKeysWithValues: items.map { ($0.objectID, $0.line) })
        // It holds its delegate weakly, and follows the context as long as it has one.
        controller.delegate = self
    }

    var items: [Item] { controller.fetchedObjects ?? [] }

    func controller(
        _ controller: FetchedResultsController<Item>, didChangeContentWith changes: FetchedResultsChangeSet
    ) {
        for change in changes.deletes { write("-", lines.removeValue(forKey: change.objectID)) }
        for change in changes.inserts { write("+", renew(change)) }
        for change in changes.moves { write(">", renew(change)) }
        // That an object was refreshed counts as an update, whether or not anything is different.
        for change in changes.updates {
            let old = lines[change.objectID]
            let new = renew(change)
            if new != old { write("~", new) }
        }
    }

    /// Takes an object's new line down.
    private func renew(_ change: FetchedResultsChangeSet.ObjectChange) -> String? {
        guard let path = change.newIndexPath else { return nil }
        let line = controller.object(at: path).line
        lines[change.objectID] = line
        return line
    }

    private func write(_ sign: String, _ line: String?) {
        // A delegate cannot throw; the next write finds out that the output is closed.
        try? Terminal.write("\(sign) \(line ?? "")\n")
    }
}
