import Foundation
import ManagedStore

/// `todo populate`: inserts a large number of objects, and records this in the store's metadata.
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
            throw UsageError("\"\(word)\" is not a count; it can be a whole number from 1 to \(Self.limit)")
        }
        self.count = count
    }

    func run(on store: TodoStore) async throws {
        let coordinator = store.coordinator
        if case .integer64(let before)? = coordinator.metadata[Self.key] {
            try Terminal.write("The list was populated before, with \(before) items; that happens once.\n")
            return
        }
        // In a context of its own: otherwise it would block an app's main queue for the whole time.
        let context = store.backgroundContext()
        try await context.perform {
            for number in 0..<count { _ = Item("Item \(number)", in: context) }
            // The next save writes this in the same transaction as the items, so that the metadata never claims items
            // that do not exist.
            coordinator.metadata[Self.key] = .integer64(Int64(count))
            try context.save()
        }
        try Terminal.write("Populated the list with \(counted(count, "item")).\n")
    }
}
