import Foundation
import ManagedStore

/// Writes changes to the list as they happen: `+` inserted, `-` deleted, `~` changed, `>` changed and moved.
///
/// The fetched results controller maintains the list. It observes every change in its context, from any source, and
/// tells its delegate what to insert, delete, move and update. A table view in a window needs the same information.
final class LiveList: FetchedResultsControllerDelegate, @unchecked Sendable {
    // Unchecked: made and used only on the context's queue, on which the controller calls its delegate.
    private let controller: FetchedResultsController<Item>
    /// The lines on the screen. The name of a deleted object can no longer be read.
    private var lines: [ManagedObjectID: String] = [:]

    /// Fetches the list. Call it on the context's queue.
    init(_ context: ManagedObjectContext) throws {
        controller = FetchedResultsController(fetchRequest: Item.sorted(), managedObjectContext: context)
        try controller.performFetch()
        lines = Dictionary(uniqueKeysWithValues: items.map { ($0.objectID, $0.line) })
        // The controller holds its delegate weakly, and observes the context as long as it has one.
        controller.delegate = self
    }

    var items: [Item] { controller.fetchedObjects ?? [] }

    func controller(
        _ controller: FetchedResultsController<Item>, didChangeContentWith changes: FetchedResultsChangeSet
    ) {
        for change in changes.deletes { write("-", lines.removeValue(forKey: change.objectID)) }
        for change in changes.inserts { write("+", renew(change)) }
        for change in changes.moves { write(">", renew(change)) }
        // A refreshed object counts as updated, whether or not a value differs.
        for change in changes.updates {
            let old = lines[change.objectID]
            let new = renew(change)
            if new != old { write("~", new) }
        }
    }

    /// Stores an object's new line.
    private func renew(_ change: FetchedResultsChangeSet.ObjectChange) -> String? {
        guard let path = change.newIndexPath else { return nil }
        let line = controller.object(at: path).line
        lines[change.objectID] = line
        return line
    }

    private func write(_ sign: String, _ line: String?) {
        // A delegate cannot throw. The next write detects that the output is closed.
        try? Terminal.write("\(sign) \(line ?? "")\n")
    }
}
