import Foundation
import Locking

/// Merges into one context, on its queue, what the other contexts of its coordinator save, while merging is on.
///
/// Neither this object nor a save that waits for its merge keeps the context alive.
final class AutomaticMerging: Sendable {
    private struct State {
        var observations: [NotificationObservation] = []
        /// Counts how often merging was switched on or off: a save received before a switch is not merged after it.
        var round = 0
    }

    private let state = Locked(State())

    var isOn: Bool { state.withLock { !$0.observations.isEmpty } }

    func stop() {
        // The observations end when the lock is released.
        let old = state.withLock { state in
            defer { state.observations = [] }
            state.round += 1
            return state.observations
        }
        withExtendedLifetime(old) {}
    }

    /// Starts to observe saves on behalf of `context`, whose queue is `queue`.
    func start(_ context: ManagedObjectContext, on queue: DispatchQueue) {
        state.withLock { state in
            guard state.observations.isEmpty else { return }
            state.observations = [observeSaves(context, queue, state.round)]
            // What other processes save reaches a child through its parent.
            if context.parent == nil {
                state.observations.append(observeOtherProcesses(context, queue, state.round))
            }
        }
    }

    private func observeSaves(
        _ context: ManagedObjectContext, _ queue: DispatchQueue, _ round: Int
    ) -> NotificationObservation {
        NotificationObservation(of: ManagedObjectContext.didSaveObjectsNotification) {
            [weak self, weak context] notification in
            guard let message = ContextDidSave(notification), let context, context.sharesParent(with: message.context)
            else { return }
            self?.merge(message, into: context, on: queue, in: round) { context throws(StoreError) in
                try context.mergeChanges(fromContextDidSave: message)
            }
        }
    }

    private func observeOtherProcesses(
        _ context: ManagedObjectContext, _ queue: DispatchQueue, _ round: Int
    ) -> NotificationObservation {
        NotificationObservation(
            of: PersistentStoreCoordinator.remoteChangeNotification, from: context.persistentStoreCoordinator
        ) { [weak self, weak context] notification in
            guard let message = PersistentStoreRemoteChange(notification), let context else { return }
            self?.merge(nil, into: context, on: queue, in: round) { context throws(StoreError) in
                if let changes = message.changes {
                    try context.merge(changes)
                } else {
                    try context.mergeRemoteChanges()
                }
            }
        }
    }

    /// Merges by `body`, in a block on the context's queue.
    ///
    /// - Parameter save: The save of another context that is merged; nil for what another process saved.
    private func merge(
        _ save: ContextDidSave?, into context: ManagedObjectContext, on queue: DispatchQueue, in round: Int,
        _ body: @escaping @Sendable (ManagedObjectContext) throws(StoreError) -> Void
    ) {
        queue.async { [weak self, weak context] in
            guard let self, let context, isOn(in: round) else { return }
            do throws(StoreError) {
                try body(context)
            } catch {
                ContextMergeFailure(context: context, save: save, error: error).post()
            }
            context.processPendingChanges()
        }
    }

    private func isOn(in round: Int) -> Bool { state.withLock { $0.round == round } }
}

extension ManagedObjectContext {
    /// Whether the saves of `other` reach what this context fetches from: the store or, for a child, its parent.
    fileprivate func sharesParent(with other: ManagedObjectContext) -> Bool {
        guard other !== self, other.persistentStoreCoordinator === persistentStoreCoordinator else { return false }
        return other.parent === parent || other === parent
    }

    /// Whether the context merges what other contexts save; false unless set. Settable from any thread.
    ///
    /// The others are those of its coordinator or, for a child, its parent and the parent's other children. A context
    /// without a parent also merges what other processes save, if the store hears of it
    /// (``PostgreSQLStoreOptions/postsRemoteChanges``). Each save is merged in a block of its own on the context's
    /// queue, in the order of the notifications.
    ///
    /// If the store cannot be read, some objects may stay as they were, and the context posts
    /// ``didFailToMergeNotification``.
    /// Traps on a confinement context, which has no queue to merge on.
    public var automaticallyMergesChangesFromParent: Bool {
        get { automaticMerging.isOn }
        set {
            guard newValue else { return automaticMerging.stop() }
            guard let queue = executor.queue else { fatalError(noQueue("automatic merging")) }
            automaticMerging.start(self, on: queue)
        }
    }
}
