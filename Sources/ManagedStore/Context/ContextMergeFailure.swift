import Foundation

/// Why a context could not merge another context's save automatically: the message of
/// ``ManagedObjectContext/didFailToMergeNotification``.
///
/// An automatic merge has no caller to throw to. The context's objects are unchanged, or some of them are merged
/// already. Merge ``save`` again once the store can be read.
///
/// ```swift
/// let observer = NotificationCenter.default.addObserver(
///     forName: ManagedObjectContext.didFailToMergeNotification, object: main, queue: nil
/// ) { notification in
///     guard let failure = ContextMergeFailure(notification) else { return }
///     print(failure.save?.updatedObjectIDs.count ?? 0, "objects are stale:", failure.error.message)
/// }
/// ```
public struct ContextMergeFailure: Sendable {
    /// The context that failed to merge. Use its objects only on its queue.
    public let context: ManagedObjectContext
    /// The save that was not merged; nil for one of another process. For that one,
    /// ``ManagedObjectContext/mergeRemoteChanges()`` makes up.
    public let save: ContextDidSave?
    /// The error that prevented the merge.
    public let error: StoreError

    init(context: ManagedObjectContext, save: ContextDidSave?, error: StoreError) {
        (self.context, self.save, self.error) = (context, save, error)
    }

    /// Reads the message of a did-fail-to-merge notification; nil for any other notification.
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
