import Foundation
import ManagedStore

/// `todo sync`: background work whose save appears in the displayed list.
struct SyncCommand: Command {
    static let usage = Usage(
        name: "sync", operands: "FILE.json", summary: "takes in items from a file, and shows what changes",
        details: """
            FILE.json holds [{ "name": "Buy milk", "done": false, "createdAt": "2024-05-01T12:00:00Z" }, ...]. An item whose name
            is in the list takes on what the file says; others are added. A file with a mistake changes nothing.
            + marks what is new, ~ what changed, > what changed and moved.
            """)

    private let path: String

    init(_ arguments: Arguments) throws {
        path = try arguments.requireOneOperand()
    }

    func run(on store: TodoStore) async throws {
        let view = store.viewContext
        // The list observes the context before the work starts, so that it misses no change.
        let list = try await view.perform { try LiveList(view) }
        let operation = SyncOperation(readingFrom: path, context: store.backgroundContext())
        let merger = SaveMerger(from: operation.context, into: view)
        await withCheckedContinuation { continuation in
            operation.completionBlock = { continuation.resume() }
            OperationQueue().addOperation(operation)
        }
        // The merge was enqueued on the view context's queue before the operation ended. A later block therefore runs
        // after the merge and after the calls to the list's delegate.
        try await view.perform { withExtendedLifetime(list) {} }
        withExtendedLifetime(merger) {}
        let summary = try operation.outcome.get()
        Terminal.note("\(summary.added) added, \(summary.changed) changed, \(summary.unchanged) as they were\n")
    }
}
