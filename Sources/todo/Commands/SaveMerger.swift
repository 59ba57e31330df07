import Foundation
import ManagedStore

/// Merges the saves of one context into another during its own lifetime.
final class SaveMerger {
    private let token: any NSObjectProtocol

    init(from source: ManagedObjectContext, into target: ManagedObjectContext) {
        token = NotificationCenter.default.addObserver(
            forName: ManagedObjectContext.didSaveObjectsNotification, object: source, queue: nil
        ) { notification in
            // Posted on the source's queue. The message holds IDs, which can cross queues; its objects cannot.
            guard let save = ContextDidSave(notification) else { return }
            target.perform {
                do {
                    try target.mergeChanges(fromContextDidSave: save)
                } catch {
                    Terminal.error("what was saved could not be shown: \(error.localizedDescription)")
                }
            }
        }
    }

    deinit {
        NotificationCenter.default.removeObserver(token)
    }
}
