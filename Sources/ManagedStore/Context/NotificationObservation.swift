import Foundation

/// Observes a notification for its own lifetime.
final class NotificationObservation: Sendable {
    // Unsafe: never changed, and only passed back to the center, which accepts it from any thread.
    nonisolated(unsafe) private let token: any NSObjectProtocol

    /// Calls `body` on the posting thread for each notification of `object`; nil stands for any object.
    init(of name: Notification.Name, from object: Any? = nil, _ body: @escaping @Sendable (Notification) -> Void) {
        token = NotificationCenter.default.addObserver(forName: name, object: object, queue: nil, using: body)
    }

    deinit {
        NotificationCenter.default.removeObserver(token)
    }
}
