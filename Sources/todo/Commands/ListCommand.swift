import Foundation
import ManagedStore

/// `todo list`: fetches objects and shows them.
struct ListCommand: Command {
    static let usage = Usage(
        name: "list", summary: "shows the items, oldest first",
        details: "Each line begins with the item's number, by which other commands know it.",
        options: [
            .init(name: "--done", help: "only items that are done"),
            .init(name: "--open", help: "only items that are not"),
        ])

    let filter: Item.Filter

    init(_ arguments: Arguments) throws {
        try arguments.requireNoOperands()
        if arguments.has("--done"), arguments.has("--open") {
            throw UsageError("--done and --open exclude each other; without either, all items are shown")
        }
        filter = arguments.has("--done") ? .done : arguments.has("--open") ? .open : .all
    }

    func run(on store: TodoStore) async throws {
        let context = store.viewContext
        // The simplest way to get at objects. The context's queue does nothing else until all of them are there.
        try await context.perform { try Terminal.write(try context.fetch(Item.sorted(filter))) }
    }
}
