import Foundation

/// Why a context could not merge by itself what another one saved: the message of
/// ``ManagedObjectContext/didFailToMergeNotification``.
///
/// There is no caller that an error could be thrown to. The context's objects are as they were, or some of them were
/// merged already; merging ``save`` again, when the store can be read again, makes up for it.
///
/// ```swift
/// let observer = NotificationCenter.default.addObserver(
///     forName: ManagedObjectContext.didFailToMergeNotification, object: main, queue: nil
/// ) { notification in
///     guard let failure = ContextMergeFailure(notification) else { return }
///     print(failure.save.updatedObjectIDs.count, "objects are stale:", failure.error.message)
/// }
/// ```
public struct ContextMergeFailure: Sendable {
    /// The context that was to merge. Use its objects on its queue alone.
    public let context: ManagedObjectContext
    /// What was to be merged.
    public let save: ContextDidSave
    /// Why it was not.
    public let error: StoreError

    init(context: ManagedObjectContext, save: ContextDidSave, error: StoreError) {
        (self.context, self.save, self.error) = (context, save, error)
    }

    /// The message in a did-fail-to-merge notification; nil for any other notification.
    public init?(_ notification: Notification) {
        guard let failure = notification.userInfo?[ManagedObjectContext.NotificationKey.message] as? ContextMergeFailure
        else { return nil }
        self = failure
    }

    func post() {
        typealias Key = ManagedObjectContext.NotificationKey
        NotificationCenter.default.post(
            name: ManagedObjectContext.didFailToMergeNotification, object: context,
            userInfo: [Key.message: self, Key.error: error])
    }
}

extension ManagedObjectContext {
    /// Posted on the context's queue when ``automaticallyMergesChangesFromParent`` could not merge a save;
    /// ``ContextMergeFailure/init(_:)`` reads it.
    public static let didFailToMergeNotification = Notification.Name("ManagedObjectContextDidFailToMerge")
}
