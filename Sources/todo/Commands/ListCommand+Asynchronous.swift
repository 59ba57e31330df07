import Foundation
import ManagedStore

/// `todo list --async`: a fetch that blocks no queue, shows its progress, and can be cancelled.
extension ListCommand {
    func listAsynchronously(_ store: TodoStore) async throws {
        let context = store.viewContext
        let request = AsynchronousFetchRequest(fetchRequest: Item.sorted(filter))
        // Returns at once: another thread reads the store, and the context's queue stays free.
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
        // The loop ends when the result is delivered, cancelled or not. The request could also have a completion block,
        // which is called at that time.
        for await count in result.progressUpdates { progress.show(count) }
        progress.end()
        if result.isCancelled || interruption.hasHappened {
            throw Interrupted("interrupted; \(counted(progress.count, "record")) had been fetched")
        }
    }

    /// Toggles items of the fetched list.
    ///
    /// Like any fetch, an asynchronous one delivers the context's own objects: a change appears at once in every list
    /// that holds them. There is no second fetch between the list above and these lines.
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
