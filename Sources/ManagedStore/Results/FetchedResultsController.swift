import Foundation

/// Keeps the objects that a fetch request asks for as a sorted, sectioned list, and tells what changes in it: what a
/// table shows.
///
/// ```swift
/// let request = FetchRequest(Item.self, sortBy: [SortDescriptor(\.createdAt)])
/// let controller = FetchedResultsController(fetchRequest: request, managedObjectContext: context)
/// try controller.performFetch()
/// for await changes in controller.changes { print(changes.inserts.count, "new items") }
/// ```
///
/// It belongs to the queue of its context. It tracks changes only while it has a listener: a delegate, or a sequence of
/// `changes`. Changes made without a listener are in the list after the next `performFetch()`. A change of k of n
/// objects costs O(k log n + n) and reads nothing but the rows of objects that are faults; a request with a limit or an
/// offset is fetched again.
///
/// The order may go by attributes of related objects, `folder.name`. Changes of these are not followed: they show with
/// the next change of an object in the list, or after `performFetch()`.
public final class FetchedResultsController<Object: ManagedObject> {
    /// What is fetched. Unsaved changes always count.
    public let fetchRequest: FetchRequest<Object>
    /// Where it is fetched.
    public let managedObjectContext: ManagedObjectContext
    /// The attribute whose values make the sections, or the key path to one through to-one relationships; nil for a
    /// single section.
    public let sectionNameKeyPath: String?
    /// Who is told of changes. Held weakly.
    public weak var delegate: (any FetchedResultsControllerDelegate<Object>)? {
        didSet { startTracking() }
    }

    var state: FetchedState<Object>?
    let streams = ChangeStreams()
    var observation: ContextObservation?
    var waiting = WaitingChanges()
    var isReporting = false

    /// Makes a controller that has fetched nothing yet. The request must be sorted, first of all by the section key if
    /// there is one; `performFetch()` finds out.
    public init(
        fetchRequest: FetchRequest<Object>, managedObjectContext: ManagedObjectContext,
        sectionNameKeyPath: String? = nil
    ) {
        self.fetchRequest = fetchRequest
        self.managedObjectContext = managedObjectContext
        self.sectionNameKeyPath = sectionNameKeyPath
    }

    /// Fetches the list, anew if it was fetched before. The delegate is not told how it differs from the old one.
    ///
    /// - Throws: `StoreError` with `invalidRequest` for a request without an order, or whose first sort descriptor is
    ///   not the section key; any error of a fetch.
    public func performFetch() throws(StoreError) {
        managedObjectContext.checkQueue()
        try checkOrder()
        managedObjectContext.processPendingChanges()
        let plan = try ResolvedFetch(trackedRequest, in: managedObjectContext).plan
        state = FetchedState(try fetchAll(), plan: plan, hasSections: sectionNameKeyPath != nil)
        waiting = WaitingChanges()
        startTracking()
    }

    private func checkOrder() throws(StoreError) {
        guard let first = fetchRequest.sortDescriptors.first else {
            throw StoreError(
                .invalidRequest, "a fetched results controller needs a request with a sort descriptor: \(fetchRequest)")
        }
        guard let sectionNameKeyPath, first.key != sectionNameKeyPath else { return }
        throw StoreError(
            .invalidRequest,
            "sections by \"\(sectionNameKeyPath)\" need it as the first sort descriptor, which is \(first)")
    }

    /// The objects are read at once, so that no later fetch changes them without telling.
    func fetchAll() throws(StoreError) -> [Object] {
        let objects = try managedObjectContext.fetch(trackedRequest)
        for object in objects where object.isFault { _ = try object.loadFault() }
        return objects
    }

    private var trackedRequest: FetchRequest<Object> {
        var request = fetchRequest
        request.includesPendingChanges = true
        request.returnsObjectsAsFaults = false
        // All of them are read at once.
        request.fetchBatchSize = 0
        return request
    }
}

extension FetchedResultsController {
    /// The objects, in order; nil before the first fetch, and after the context was reset.
    public var fetchedObjects: [Object]? { state?.list.objects }

    /// The sections, in order; nil before the first fetch, and after the context was reset.
    public var sections: [FetchedResultsSection<Object>]? { state?.list.sections }

    /// The object at `indexPath`, which must be in the list. O(1).
    public func object(at indexPath: FetchedIndexPath) -> Object {
        guard let list = state?.list else { fatalError("performFetch() must come before object(at:)") }
        return list.object(at: indexPath)
    }

    /// Where `object` is; nil if it is not in the list. O(log n), or O(n) if it was changed since the list was brought
    /// up to date.
    public func indexPath(for object: Object) -> FetchedIndexPath? {
        guard let state else { return nil }
        let objects = state.list.objects
        if !object.isFault, state.plan.includes(object.entityIndex) {
            let index = state.order.insertionIndex(of: object, in: objects)
            if index < objects.count, objects[index] === object { return state.list.indexPath(index) }
        }
        return objects.firstIndex { $0 === object }.map(state.list.indexPath)
    }
}
