import BenchHarness
import Dispatch
import Foundation
import ManagedStore

/// Writers as background operations, each with its own context on the shared coordinator, and a main-queue context that
/// merges each did-save notification.
final class ManagedMergeRun<Mapping: ObjectMapping>: Sendable {
    private let plan: MergePlan
    private let mapping: Mapping
    private let records: RecordGenerator
    private let stored: StoredObjects
    private let coordinator: PersistentStoreCoordinator
    /// The mirror, which only its context's queue uses.
    private let mirror: ManagedMirror<Mapping>
    private let change: @Sendable (Mapping.Object) -> Void
    private let monitor: PhaseMonitor
    private let merges = DispatchGroup()
    private let failure = FirstFailure()

    init(
        _ plan: MergePlan, _ mapping: Mapping, _ records: RecordGenerator, _ stored: StoredObjects,
        _ coordinator: PersistentStoreCoordinator, mirror: ManagedMirror<Mapping>,
        change: @escaping @Sendable (Mapping.Object) -> Void, monitor: PhaseMonitor
    ) {
        self.plan = plan
        self.mapping = mapping
        self.records = records
        self.stored = stored
        self.coordinator = coordinator
        self.mirror = mirror
        self.change = change
        self.monitor = monitor
    }

    /// Runs the writers; returns when every save is merged, or throws the first failure.
    func run() throws {
        let observer = NotificationCenter.default.addObserver(
            forName: ManagedObjectContext.didSaveObjectsNotification, object: nil, queue: nil
        ) { [self] notification in didSave(notification) }
        defer { NotificationCenter.default.removeObserver(observer) }
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = max(plan.writers.count, 1)
        for saves in plan.writers { queue.addOperation { [self] in failure.attempt { try write(saves) } } }
        queue.waitUntilAllOperationsAreFinished()
        merges.wait()
        try failure.rethrow()
    }

    private func write(_ saves: [MergePlan.Save]) throws {
        let context = ManagedObjectContext(coordinator: coordinator)
        for save in saves where !failure.hasHappened { try monitor.operation { try perform(save, context) } }
    }

    private func perform(_ save: MergePlan.Save, _ context: ManagedObjectContext) throws {
        _ = try mapping.insert(save.inserts, of: records, in: context, keeps: false) {
            try stored.object($0, $1, in: context)
        }
        for object in try fetch(save.changes, context) { change(object) }
        for object in try fetch(save.deletes, context) { context.delete(object) }
        try context.save()
    }

    private func fetch(_ ordinals: Range<Int>, _ context: ManagedObjectContext) throws -> [Mapping.Object] {
        if ordinals.isEmpty { return [] }
        var request = FetchRequest<Mapping.Object>(
            entity: mapping.description, predicate: .objectID(in: mirror.objectIDs(ordinals)))
        request.includesPendingChanges = false
        return try context.fetch(request)
    }

    private func didSave(_ notification: Notification) {
        guard let message = ContextDidSave(notification), message.context.persistentStoreCoordinator === coordinator
        else { return }
        merges.enter()
        mirror.context.perform { [self] in
            failure.attempt { try mirror.merge(message) }
            merges.leave()
        }
    }
}
