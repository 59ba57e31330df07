import Foundation
import Locking

/// Merges into a context, on its queue, what the other contexts of its coordinator save, as long as it is switched on.
///
/// It does not keep the context alive, nor does what is waiting to be merged.
final class AutomaticMerging: Sendable {
    private struct State {
        var observation: NotificationObservation?
        /// Counts how often it was switched, so that what was heard of before is not merged after.
        var round = 0
    }

    private let state = Locked(State())

    var isOn: Bool { state.withLock { $0.observation != nil } }

    func stop() {
        // The observation ends when the lock is released.
        let old = state.withLock { state in
            defer { state.observation = nil }
            state.round += 1
            return state.observation
        }
        withExtendedLifetime(old) {}
    }

    /// Begins to listen for `context`, whose queue is `queue`.
    func start(_ context: ManagedObjectContext, on queue: DispatchQueue) {
        state.withLock { state in
            if state.observation == nil { state.observation = observe(context, queue, state.round) }
        }
    }

    private func observe(
        _ context: ManagedObjectContext, _ queue: DispatchQueue, _ round: Int
    ) -> NotificationObservation {
        NotificationObservation(of: ManagedObjectContext.didSaveObjectsNotification) {
            [weak self, weak context] notification in
            guard let message = ContextDidSave(notification), let context, context.sharesParent(with: message.context)
            else { return }
            queue.async { [weak self, weak context] in
                guard let self, let context, isOn(in: round) else { return }
                do throws(StoreError) {
                    try context.mergeChanges(fromContextDidSave: message)
                } catch {
                    ContextMergeFailure(context: context, save: message, error: error).post()
                }
                context.processPendingChanges()
            }
        }
    }

    private func isOn(in round: Int) -> Bool { state.withLock { $0.round == round } }
}

extension ManagedObjectContext {
    /// Whether what `other` saves arrives where this context fetches from: in the store or, for a child, in its parent.
    fileprivate func sharesParent(with other: ManagedObjectContext) -> Bool {
        guard other !== self, other.persistentStoreCoordinator === persistentStoreCoordinator else { return false }
        return other.parent === parent || other === parent
    }

    /// Whether the context merges what other contexts of its coordinator, or of its parent, and the parent itself save,
    /// each save in a block of its own on the context's queue, in the order in which they were told of; false unless
    /// set. May be set from anywhere.
    ///
    /// A save that cannot be merged because the store cannot be read leaves objects as they were, and is told of by
    /// ``didFailToMergeNotification``. Traps on a confinement context, which has no queue to merge on.
    public var automaticallyMergesChangesFromParent: Bool {
        get { automaticMerging.isOn }
        set {
            guard newValue else { return automaticMerging.stop() }
            guard let queue = executor.queue else { fatalError(noQueue("automatic merging")) }
            automaticMerging.start(self, on: queue)
        }
    }
}
