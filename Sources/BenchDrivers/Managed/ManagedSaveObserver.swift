import BenchHarness
import Dispatch
import Foundation
import ManagedStore

/// The main-queue context of a load of saves: it merges each did-save notification. In mode `controller`, it also has a
/// fetched results controller over a sorted window.
///
/// Unchecked because only the main queue uses its state: before the load starts, during it, and after its end.
final class ManagedSaveObserver<Mapping: ObjectMapping>: FetchedResultsControllerDelegate, @unchecked Sendable {
    typealias Object = Mapping.Object

    private let context: ManagedObjectContext
    private let coordinator: PersistentStoreCoordinator
    private let monitor: LoadMonitor
    private let merges = DispatchGroup()
    private let controller: FetchedResultsController<Mapping.Object>?
    private var observer: (any NSObjectProtocol)?
    /// The time of the save that is being merged.
    private var savedAt: Int?

    init(
        _ mapping: Mapping, _ coordinator: PersistentStoreCoordinator, _ spec: SaveSpec, window: FetchPredicate?,
        key: String, monitor: LoadMonitor
    ) throws {
        self.coordinator = coordinator
        self.monitor = monitor
        let context = ManagedObjectContext(concurrencyType: .mainQueue, coordinator: coordinator)
        self.context = context
        guard spec.mode == .controller else {
            controller = nil
            observe()
            return
        }
        var request = FetchRequest<Mapping.Object>(entity: mapping.description, predicate: window)
        let sort = spec.sort.isEmpty ? [SortSpec(key: key)] : spec.sort
        request.fetchLimit = spec.headRecords ?? 0
        request.sortDescriptors = sort.map { FetchSortDescriptor(key: $0.key, ascending: $0.ascending) }
        let controller = FetchedResultsController(fetchRequest: request, managedObjectContext: context)
        self.controller = controller
        try context.performAndWait {
            try controller.performFetch()
            controller.delegate = self
        }
        observe()
    }

    private func observe() {
        observer = NotificationCenter.default.addObserver(
            forName: ManagedObjectContext.didSaveObjectsNotification, object: nil, queue: nil
        ) { [weak self] notification in self?.didSave(notification) }
    }

    private func didSave(_ notification: Notification) {
        guard let message = ContextDidSave(notification), message.context.persistentStoreCoordinator === coordinator
        else { return }
        let time = monitor.now()
        merges.enter()
        context.perform { [self] in
            savedAt = time
            do {
                try context.mergeChanges(fromContextDidSave: message)
                context.processPendingChanges()
                monitor.merged(savedAt: time)
            } catch {
                monitor.failed(error)
            }
            savedAt = nil
            merges.leave()
        }
    }

    func controllerDidChangeContent(_ controller: FetchedResultsController<Mapping.Object>) {
        if let savedAt { monitor.delegateReturned(savedAt: savedAt) }
    }

    /// Returns when every save is merged.
    func waitForMerges() { merges.wait() }

    /// Returns what is wrong with the controller's list, compared with a fetch of a new context.
    func problems() throws -> [String] {
        guard let controller else { return [] }
        let shown = context.performAndWait { (controller.fetchedObjects ?? []).map(\.objectID) }
        let fresh = ManagedObjectContext(concurrencyType: .privateQueue, coordinator: coordinator)
        let wanted = try fresh.performAndWait { try fresh.fetchObjectIDs(controller.fetchRequest) }
        if shown == wanted { return [] }
        return [
            "the controller's \(shown.count) records differ from the \(wanted.count) of a fetch, or in their order"
        ]
    }

    func end() {
        if let observer { NotificationCenter.default.removeObserver(observer) }
        observer = nil
        context.performAndWait {
            controller?.delegate = nil
            context.reset()
        }
    }
}
