import Foundation
import Synchronization

/// The stores that a process has open, for a library that can open a store only once in a process: the sessions on one
/// directory share it.
public final class SharedStores<Store: Sendable>: Sendable {
    private struct Entry {
        let store: Store
        var sessions = 0
    }

    /// Held while a store is opened, so that no two sessions open it.
    private let entries = Mutex<[String: Entry]>([:])

    /// Creates an empty set.
    public init() {}

    /// Returns the store in a directory for one more session: the one that another session has open, or a new one.
    public func open(_ directory: URL, _ makeStore: () throws -> Store) throws -> Store {
        try entries.withLock { entries in
            var entry = try entries[directory.path] ?? Entry(store: makeStore())
            entry.sessions += 1
            entries[directory.path] = entry
            return entry.store
        }
    }

    /// Ends the use by one session. After the last one, calls `closeStore`, since the harness may replace the files.
    public func close(_ directory: URL, _ closeStore: (Store) -> Void = { _ in }) {
        entries.withLock { entries in
            guard var entry = entries[directory.path] else { return }
            entry.sessions -= 1
            entries[directory.path] = entry.sessions > 0 ? entry : nil
            if entry.sessions == 0 { closeStore(entry.store) }
        }
    }
}
