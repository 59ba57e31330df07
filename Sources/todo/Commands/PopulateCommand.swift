import Foundation
import ManagedStore

/// `todo populate`: makes a great many objects, and remembers in the store's metadata that it was done.
struct PopulateCommand: Command {
    static let usage = Usage(
        name: "populate", operands: "COUNT", summary: "fills the list with COUNT items, once",
        details:
            "The items are called \"Item 0\", \"Item 1\" and so on. A list that was populated before stays as it is.")

    private static let limit = 10_000_000
    private static let key = "populated"

    private let count: Int

    init(_ arguments: Arguments) throws {
        let word = try arguments.requireOneOperand()
        guard let count = Int(word), (1...Self.limit).contains(count) else {
            throw UsageError("\"\(word)\" is no count; it can be a whole number from 1 to \(Self.limit)")
        }
        self.count = count
    }

    func run(on store: TodoStore) async throws {
        let coordinator = store.coordinator
        if case .integer64(let before)? = coordinator.metadata[Self.key] {
            try Terminal.write("The list was populated before, with \(before) items; that happens once.\n")
            return
        }
        // In a context of its own: an app's main queue would stand still for as long as this takes.
        let context = store.backgroundContext()
        try await context.perform {
            for number in 0..<count { _ = Item("Item \(number)", in: context) }
            // Written by the next save, in the same transaction as the items: it is never said of items that are not
            // there.
            coordinator.metadata[Self.key] = .integer64(Int64(count))
            try context.save()
        }
        try Terminal.write("Populated the list with \(counted(count, "item")).\n")
    }
}
