/// Hears of what changes in a controller's list, on the queue of the controller's context. Every method may be left
/// out.
///
/// The order: will-change, while the list is still the old one; then, with the new list in place, deleted and inserted
/// sections, deleted, inserted, moved and updated objects; all of it as one change set; did-change.
public protocol FetchedResultsControllerDelegate<Object>: AnyObject {
    /// What the controller's objects are.
    associatedtype Object: ManagedObject

    /// The list is about to change.
    func controllerWillChangeContent(_ controller: FetchedResultsController<Object>)
    /// A section came or went.
    func controller(
        _ controller: FetchedResultsController<Object>, didChange section: FetchedResultsChangeSet.SectionChange,
        for type: FetchedResultsChangeType)
    /// An object came, went, moved or changed. A move implies a change.
    func controller(
        _ controller: FetchedResultsController<Object>, didChange object: Object, at oldIndexPath: FetchedIndexPath?,
        for type: FetchedResultsChangeType, newIndexPath: FetchedIndexPath?)
    /// The same changes as one value, as ``FetchedResultsController/changes`` yields it.
    func controller(
        _ controller: FetchedResultsController<Object>, didChangeContentWith changes: FetchedResultsChangeSet)
    /// All changes were told.
    func controllerDidChangeContent(_ controller: FetchedResultsController<Object>)
}

/// What happened to an object or a section.
public enum FetchedResultsChangeType: Sendable, Hashable {
    /// It is new to the list.
    case insert
    /// It left the list.
    case delete
    /// It changed and stands elsewhere.
    case move
    /// It changed where it stands.
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
