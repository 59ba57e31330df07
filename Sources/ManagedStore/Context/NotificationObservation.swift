import Foundation

/// Hears of a notification as long as it lives.
final class NotificationObservation: Sendable {
    // Unsafe: never changed, and handed back to the center alone, which takes it from any thread.
    nonisolated(unsafe) private let token: any NSObjectProtocol

    /// Calls `body` on the thread that posts, for what `object` posts or, with nil, anyone.
    init(of name: Notification.Name, from object: Any? = nil, _ body: @escaping @Sendable (Notification) -> Void) {
        token = NotificationCenter.default.addObserver(forName: name, object: object, queue: nil, using: body)
    }

    deinit {
        NotificationCenter.default.removeObserver(token)
    }
}
