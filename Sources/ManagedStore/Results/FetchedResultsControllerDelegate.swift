/// Receives the changes to a controller's list, on the queue of the controller's context. Every method is optional.
///
/// The calls come in this order: will-change, with the old list; then, with the new list, the deleted and inserted
/// sections, the deleted, inserted, moved and updated objects, and all of these as one change set; did-change.
public protocol FetchedResultsControllerDelegate<Object>: AnyObject {
    /// The class of the controller's objects.
    associatedtype Object: ManagedObject

    /// Called before the list changes.
    func controllerWillChangeContent(_ controller: FetchedResultsController<Object>)
    /// Called for an inserted or deleted section.
    func controller(
        _ controller: FetchedResultsController<Object>, didChange section: FetchedResultsChangeSet.SectionChange,
        for type: FetchedResultsChangeType)
    /// Called for an inserted, deleted, moved or updated object. A move implies a change.
    func controller(
        _ controller: FetchedResultsController<Object>, didChange object: Object, at oldIndexPath: FetchedIndexPath?,
        for type: FetchedResultsChangeType, newIndexPath: FetchedIndexPath?)
    /// Called with the same changes as one value, which ``FetchedResultsController/changes`` yields as well.
    func controller(
        _ controller: FetchedResultsController<Object>, didChangeContentWith changes: FetchedResultsChangeSet)
    /// Called after all changes.
    func controllerDidChangeContent(_ controller: FetchedResultsController<Object>)
}

/// The kind of change to an object or a section.
public enum FetchedResultsChangeType: Sendable, Hashable {
    /// It entered the list.
    case insert
    /// It left the list.
    case delete
    /// It changed and moved.
    case move
    /// It changed without moving.
    case update
}

extension FetchedResultsControllerDelegate {
    /// Does nothing.
    public func controllerWillChangeContent(_ controller: FetchedResultsController<Object>) {}
    /// Does nothing.
    public func controller(
        _ controller: FetchedResultsController<Object>, didChange section: FetchedResultsChangeSet.SectionChange,
        for type: FetchedResultsChangeType
    ) {}
    /// Does nothing.
    public func controller(
        _ controller: FetchedResultsController<Object>, didChange object: Object, at oldIndexPath: FetchedIndexPath?,
        for type: FetchedResultsChangeType, newIndexPath: FetchedIndexPath?
    ) {}
    /// Does nothing.
    public func controller(
        _ controller: FetchedResultsController<Object>, didChangeContentWith changes: FetchedResultsChangeSet
    ) {}
    /// Does nothing.
    public func controllerDidChangeContent(_ controller: FetchedResultsController<Object>) {}
}
