import Foundation
import ManagedStore

/// Takes what one context saves over into another, for as long as it lives.
final class SaveMerger {
    private let token: any NSObjectProtocol

    init(from source: ManagedObjectContext, into target: ManagedObjectContext) {
        token = NotificationCenter.default.addObserver(
            forName: ManagedObjectContext.didSaveObjectsNotification, object: source, queue: nil
        ) { notification in
            // Posted on the source's queue. The message holds IDs, which may cross over; the objects in it may not.
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
