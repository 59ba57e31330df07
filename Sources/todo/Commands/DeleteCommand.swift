import Foundation
import ManagedStore

/// `todo delete`: deletes objects by their IDs.
struct DeleteCommand: Command {
    static let usage = Usage(
        name: "delete", operands: "N...", summary: "deletes items",
        details: "N is the number that todo list shows. All of the items are deleted, or none.")

    private let numbers: [Int]

    init(_ arguments: Arguments) throws {
        numbers = try Arguments.numbers(try arguments.requireOperands())
    }

    func run(on store: TodoStore) async throws {
        let context = store.viewContext
        try await context.perform {
            let items = try numbers.map { try store.item($0) }
            // Read first, since an object leaves its context when its deletion is saved.
            let lines = items.map { "Deleted: \($0.line)\n" }
            for item in items { context.delete(item) }
            try context.save()
            try Terminal.write(lines.joined())
        }
    }
}
