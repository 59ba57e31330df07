import Foundation

/// What another process, or another coordinator, saved: the message of
/// ``PersistentStoreCoordinator/remoteChangeNotification``.
///
/// ```swift
/// let observer = NotificationCenter.default.addObserver(
///     forName: PersistentStoreCoordinator.remoteChangeNotification, object: coordinator, queue: nil
/// ) { notification in
///     guard let change = PersistentStoreRemoteChange(notification) else { return }
///     print(change.changes?.inserted.count ?? 0, "new objects")
/// }
/// ```
public struct PersistentStoreRemoteChange: Sendable {
    /// The coordinator of the store that changed.
    public let coordinator: PersistentStoreCoordinator
    /// The changed objects; nil if the message does not name them, since they were many or a batch request changed
    /// them, or since messages may have been lost.
    public let changes: ObjectIDChanges?

    init(coordinator: PersistentStoreCoordinator, changes: ObjectIDChanges?) {
        (self.coordinator, self.changes) = (coordinator, changes)
    }

    /// Reads the message of a remote-change notification; nil for any other notification.
    public init?(_ notification: Notification) {
        typealias Key = ManagedObjectContext.NotificationKey
        guard let change = notification.userInfo?[Key.message] as? PersistentStoreRemoteChange else { return nil }
        self = change
    }

    func post() {
        NotificationCenter.default.post(
            name: PersistentStoreCoordinator.remoteChangeNotification, object: coordinator,
            userInfo: [ManagedObjectContext.NotificationKey.message: self])
    }
}

extension PersistentStoreCoordinator {
    /// Posted on a thread of the store when another process or coordinator saved;
    /// ``PersistentStoreRemoteChange/init(_:)`` reads it. Only stores that are opened with
    /// ``PostgreSQLStoreOptions/postsRemoteChanges`` post it.
    public static let remoteChangeNotification = Notification.Name("PersistentStoreRemoteChange")
}
