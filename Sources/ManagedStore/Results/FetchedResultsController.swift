import Foundation

/// Keeps the objects of a fetch request as a sorted list with sections, and reports changes to it, as a table view
/// needs.
///
/// ```swift
/// let request = FetchRequest(Item.self, sortBy: [SortDescriptor(\.createdAt)])
/// let controller = FetchedResultsController(fetchRequest: request, managedObjectContext: context)
/// try controller.performFetch()
/// for await changes in controller.changes { print(changes.inserts.count, "new items") }
/// ```
///
/// The controller belongs to the queue of its context. It tracks changes only while it has a listener: a delegate, or a
/// sequence of `changes`. Changes made without a listener appear in the list after the next `performFetch()`.
///
/// A change to k of n objects costs O(k log n + n), and reads only the rows of faults. A request with a limit or an
/// offset is fetched again.
///
/// The order can depend on attributes of related objects, such as `folder.name`. The controller does not follow changes
/// to these: they appear with the next change to an object in the list, or after `performFetch()`.
public final class FetchedResultsController<Object: ManagedObject> {
    /// The request to fetch. Unsaved changes are always taken into account.
    public let fetchRequest: FetchRequest<Object>
    /// The context to fetch from.
    public let managedObjectContext: ManagedObjectContext
    /// The attribute whose values define sections, or a key path to it through to-one relationships; nil for a single
    /// section.
    public let sectionNameKeyPath: String?
    /// The object that receives changes, held weakly.
    public weak var delegate: (any FetchedResultsControllerDelegate<Object>)? {
        didSet { startTracking() }
    }

    var state: FetchedState? {
        didSet { typedSections = nil }
    }
    /// The sections of the list, once they are asked for.
    private var typedSections: [FetchedResultsSection<Object>]?
    let streams = ChangeStreams()
    var observation: ContextObservation?
    var waiting = WaitingChanges()
    var isReporting = false

    /// Makes a controller without fetching. The request needs an order, with the section key first if there is one;
    /// `performFetch()` checks this.
    public init(
        fetchRequest: FetchRequest<Object>, managedObjectContext: ManagedObjectContext,
        sectionNameKeyPath: String? = nil
    ) {
        self.fetchRequest = fetchRequest
        self.managedObjectContext = managedObjectContext
        self.sectionNameKeyPath = sectionNameKeyPath
    }

    /// Fetches the list, again if it was fetched before. The delegate receives no changes relative to the previous
    /// list.
    ///
    /// - Throws: `StoreError` with `invalidRequest` for a request without an order, or if its first sort descriptor is
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
                .invalidRequest,
                "a fetched results controller needs a request with a sort descriptor; add one to \(fetchRequest)")
        }
        guard let sectionNameKeyPath, first.key != sectionNameKeyPath else { return }
        throw StoreError(
            .invalidRequest,
            "sectionNameKeyPath is \"\(sectionNameKeyPath)\", but the first sort descriptor is \(first); sort by "
                + "\"\(sectionNameKeyPath)\" first")
    }

    /// Fetches all objects and reads them, so that no later fetch changes them without a notification.
    func fetchAll() throws(StoreError) -> [Object] {
        let objects = try managedObjectContext.fetch(trackedRequest)
        for object in objects where object.isFault { _ = try object.loadFault() }
        if let repeated = objects.firstRepeatedObject {
            throw StoreError(
                .incompatibleStore,
                "the store returned \(repeated.objectID) twice, so its file is damaged; restore the file from a copy, or save what can be "
                    + "read with sqlite3's .recover")
        }
        return objects
    }

    private var trackedRequest: FetchRequest<Object> {
        var request = fetchRequest
        request.includesPendingChanges = true
        request.returnsObjectsAsFaults = false
        // The controller needs all rows at once.
        request.fetchBatchSize = 0
        return request
    }
}

extension FetchedResultsController {
    /// The objects in order; nil before the first fetch and after a reset of the context.
    public var fetchedObjects: [Object]? { state?.list.objects.asserting(Object.self) }

    /// The sections in order; nil before the first fetch and after a reset of the context.
    public var sections: [FetchedResultsSection<Object>]? {
        guard let list = state?.list else { return nil }
        if let typedSections { return typedSections }
        let objects = list.objects.asserting(Object.self)
        let sections = list.sections.map { FetchedResultsSection($0, of: objects) }
        typedSections = sections
        return sections
    }

    /// Returns the object at `indexPath`, which must be in the list. O(1).
    public func object(at indexPath: FetchedIndexPath) -> Object {
        guard let list = state?.list else { fatalError("performFetch() must come before object(at:)") }
        return unsafeDowncast(list.object(at: indexPath), to: Object.self)
    }

    /// Returns the position of `object`; nil if it is not in the list. O(log n), or O(n) if the object changed since
    /// the list was updated.
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
