import Foundation
import ManagedStore

/// `todo list`: fetches and shows objects.
struct ListCommand: Command {
    static let usage = Usage(
        name: "list", summary: "shows the items, oldest first",
        details: """
            Each line begins with the item's number, by which other commands know it.
            Ctrl-C stops an asynchronous fetch, and says how many records it had found.
            """,
        options: [
            .init(name: "--done", help: "only items that are done"),
            .init(name: "--open", help: "only items that are not"),
            .init(name: "--async", help: "fetches in the background and counts the records meanwhile"),
            .init(
                name: "--toggle", value: "N", help: "with --async: toggles item N of the list just fetched; repeatable"),
        ])

    let filter: Item.Filter
    private let isAsynchronous: Bool
    /// The numbers of the items to toggle after the list is shown.
    let toggled: [Int]

    init(_ arguments: Arguments) throws {
        try arguments.requireNoOperands()
        if arguments.has("--done"), arguments.has("--open") {
            throw UsageError("--done and --open exclude each other; without either, all items are shown")
        }
        filter = arguments.has("--done") ? .done : arguments.has("--open") ? .open : .all
        isAsynchronous = arguments.has("--async")
        toggled = try Arguments.numbers(arguments.all("--toggle"))
        if !toggled.isEmpty, !isAsynchronous {
            throw UsageError("--toggle goes with --async; to toggle without listing, use todo toggle N")
        }
    }

    func run(on store: TodoStore) async throws {
        if isAsynchronous { return try await listAsynchronously(store) }
        let context = store.viewContext
        // The simplest way to get objects. The context's queue does nothing else until all of them are fetched.
        try await context.perform { try Terminal.write(try context.fetch(Item.sorted(filter))) }
    }
}
