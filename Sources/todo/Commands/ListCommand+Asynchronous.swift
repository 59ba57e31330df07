import Foundation
import ManagedStore

/// `todo list --async`: a fetch that freezes nothing, shows how far it is, and can be cancelled.
extension ListCommand {
    func listAsynchronously(_ store: TodoStore) async throws {
        let context = store.viewContext
        let request = AsynchronousFetchRequest(fetchRequest: Item.sorted(filter))
        // Returns at once: the store is read on another thread, and the context's queue stays free.
        let result = try await context.perform { try context.execute(request) }
        try await show(progressOf: result)
        try await context.perform {
            if let error = result.operationError { throw error }
            let items = result.finalResult ?? []
            try Terminal.write(items)
            try toggle(in: items, store)
        }
    }

    private func show(progressOf result: AsynchronousFetchResult<Item>) async throws {
        let interruption = Interruption { result.cancel() }
        defer { interruption.end() }
        var progress = FetchProgress()
        // Ends when the result was delivered, cancelled or not. A completion block, given to the request, would be told
        // then too.
        for await count in result.progressUpdates { progress.show(count) }
        progress.end()
        if result.isCancelled || interruption.hasHappened {
            throw Interrupted("interrupted; \(counted(progress.count, "record")) had been fetched")
        }
    }

    /// What an asynchronous fetch delivers are the context's own objects, as any fetch's: a change shows at once in
    /// every list that holds them. Nothing is fetched again between the list above and these lines.
    private func toggle(in items: [Item], _ store: TodoStore) throws {
        if toggled.isEmpty { return }
        let wanted = Set(try toggled.map { try store.objectID($0) })
        let chosen = items.filter { wanted.contains($0.objectID) }
        let found = Set(chosen.map(\.objectID))
        if let number = try toggled.first(where: { !found.contains(try store.objectID($0)) }) {
            throw TodoError("item \(number) is not in this list, so nothing was toggled")
        }
        for item in chosen { item.done.toggle() }
        try store.viewContext.save()
        for item in items where found.contains(item.objectID) { try Terminal.write("Toggled: \(item.line)\n") }
    }
}
