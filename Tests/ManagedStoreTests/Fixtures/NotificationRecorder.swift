import Foundation
import Locking
import ManagedStore

/// Keeps the notifications that one context posts.
final class NotificationRecorder {
    private struct Posted: @unchecked Sendable {
        // Unchecked: the notifications are looked at by the test alone, after they were posted.
        var notifications: [Notification] = []
    }

    private let posted = Locked(Posted())
    private var token: (any NSObjectProtocol)?

    init(_ name: Notification.Name, from context: ManagedObjectContext) {
        let posted = posted
        token = NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { notification in
            nonisolated(unsafe) let notification = notification
            posted.withLock { $0.notifications.append(notification) }
        }
    }

    deinit {
        if let token { NotificationCenter.default.removeObserver(token) }
    }

    var notifications: [Notification] { posted.value.notifications }

    /// The objects under `key` in the notification at `index`.
    func objects(_ key: String, at index: Int = 0) -> Set<ManagedObject> {
        guard notifications.indices.contains(index) else { return [] }
        return (notifications[index].userInfo?[key] as? ManagedObjectSet)?.objects ?? []
    }
}
