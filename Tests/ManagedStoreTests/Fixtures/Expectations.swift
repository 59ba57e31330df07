import Foundation
import Locking
import ManagedStore
import TestSupport
import Testing

/// Expects `body` to throw a `StoreError` with `code`, and hands it over.
@discardableResult
func expectError<Result>(
    _ code: StoreError.Code, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Result
) -> StoreError? {
    do {
        _ = try body()
        Issue.record("expected the error \(code); nothing was thrown", sourceLocation: sourceLocation)
    } catch let error as StoreError {
        #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
        return error
    } catch {
        Issue.record("expected a StoreError, caught \(error)", sourceLocation: sourceLocation)
    }
    return nil
}

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
