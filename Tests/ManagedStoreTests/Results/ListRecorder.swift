import ManagedStore

/// Copies a controller's list by its change sets alone, and writes down what it is told.
final class ListRecorder: FetchedResultsControllerDelegate {
    private(set) var events: [String] = []
    private(set) var objects: [FetchedResultsChangeType: [Item]] = [:]
    private(set) var paths: [[FetchedIndexPath?]] = []

    func controllerWillChangeContent(_ controller: FetchedResultsController<Item>) { events.append("will") }

    func controller(
        _ controller: FetchedResultsController<Item>, didChange section: FetchedResultsChangeSet.SectionChange,
        for type: FetchedResultsChangeType
    ) {
        events.append("\(type) section \(section.name) \(section.index)")
    }

    func controller(
        _ controller: FetchedResultsController<Item>, didChange object: Item, at oldIndexPath: FetchedIndexPath?,
        for type: FetchedResultsChangeType, newIndexPath: FetchedIndexPath?
    ) {
        events.append("\(type)")
        objects[type, default: []].append(object)
        paths.append([oldIndexPath, newIndexPath])
    }

    func controllerDidChangeContent(_ controller: FetchedResultsController<Item>) { events.append("did") }

    /// What was told since the last time.
    func take() -> [String] {
        defer { clear() }
        return events
    }

    /// Forgets what was told.
    func clear() { (events, objects, paths) = ([], [:], []) }
}
