import Foundation
import ManagedStore

/// `todo toggle`: changes objects by their IDs.
struct ToggleCommand: Command {
    static let usage = Usage(
        name: "toggle", operands: "N...", summary: "marks items as done, or as not done again",
        details: "N is the number that todo list shows. All of the items are changed, or none.")

    private let numbers: [Int]

    init(_ arguments: Arguments) throws {
        numbers = try Arguments.numbers(try arguments.requireOperands())
    }

    func run(on store: TodoStore) async throws {
        let context = store.viewContext
        try await context.perform {
            // All items are found before the first one changes.
            let items = try numbers.map { try store.item($0) }
            // Setting a property is enough: the context records the changes, and one save writes them in one
            // transaction. If another process had changed an item meanwhile, the save would throw a conflict rather
            // than overwrite that change.
            for item in items { item.done.toggle() }
            try context.save()
            try Terminal.write(items)
        }
    }
}
