import Foundation
import Locking

/// Observes a context's changes on the context's queue, for its own lifetime.
final class ContextObservation {
    private let observations: [NotificationObservation]

    init(_ context: ManagedObjectContext, _ body: @escaping (Notification) -> Void) {
        // Unsafe: the context posts on its queue, and the observer belongs to the same queue.
        nonisolated(unsafe) let body = body
        // A save assigns permanent keys to new objects, and these decide their place among equal objects.
        let names = [
            ManagedObjectContext.didChangeObjectsNotification, ManagedObjectContext.didSaveObjectsNotification,
        ]
        observations = names.map { name in
            NotificationObservation(of: name, from: context) { body($0) }
        }
    }
}

/// The reported changes of a context that a controller has not processed yet.
struct WaitingChanges {
    private(set) var touched: Set<ManagedObject> = []
    private(set) var updated: Set<ManagedObject> = []
    /// Faults that must not be read; they count as deleted.
    private(set) var invalidated: Set<ManagedObject> = []
    private(set) var isInvalidated = false
    private var isEmpty = true

    mutating func add(_ notification: Notification, _ context: ManagedObjectContext) {
        typealias Key = ManagedObjectContext.NotificationKey
        isEmpty = false
        guard notification.name == ManagedObjectContext.didChangeObjectsNotification else { return }
        func objects(_ key: String) -> Set<ManagedObject> {
            (notification.userInfo?[key] as? ManagedObjectSet)?.objects ?? []
        }
        updated.formUnion(objects(Key.updated))
        updated.formUnion(objects(Key.refreshed))
        for key in [Key.inserted, Key.deleted] { touched.formUnion(objects(key)) }
        touched.formUnion(updated)
        invalidated.formUnion(objects(Key.invalidated))
        touched.formUnion(invalidated)
        if let merged = notification.userInfo?[Key.mergedUpdates] as? ObjectIDSet {
            let unknown = merged.filter { context.registeredObject(for: $0) == nil }
            touched.formUnion(unknown.compactMap { context.local($0).map { context.object(with: $0) } })
        }
        if notification.userInfo?[Key.invalidatedAll] != nil { isInvalidated = true }
    }

    /// Returns and removes all waiting changes; nil if there are none.
    mutating func take() -> WaitingChanges? {
        if isEmpty { return nil }
        defer { self = WaitingChanges() }
        return self
    }
}

/// The open sequences of a controller's change sets.
final class ChangeStreams: Sendable {
    private struct State {
        var continuations: [Int: AsyncStream<FetchedResultsChangeSet>.Continuation] = [:]
        var last = 0
    }

    // A sequence can end on any thread.
    private let state = Locked(State())

    deinit {
        for continuation in state.value.continuations.values { continuation.finish() }
    }

    var isEmpty: Bool { state.withLock { $0.continuations.isEmpty } }

    func makeStream() -> AsyncStream<FetchedResultsChangeSet> {
        let (stream, continuation) = AsyncStream.makeStream(of: FetchedResultsChangeSet.self)
        let number = state.withLock { state in
            state.last += 1
            state.continuations[state.last] = continuation
            return state.last
        }
        continuation.onTermination = { [weak self] _ in self?.remove(number) }
        return stream
    }

    private func remove(_ number: Int) {
        _ = state.withLock { $0.continuations.removeValue(forKey: number) }
    }

    func yield(_ changes: FetchedResultsChangeSet) {
        for continuation in state.value.continuations.values { continuation.yield(changes) }
    }
}
