import Foundation
import ManagedStore

/// `todo toggle`: changes objects that are found by their IDs.
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
            // All are found before the first is changed.
            let items = try numbers.map { try store.item($0) }
            // Setting a property is all it takes: the context notes what changed, and one save writes it in one
            // transaction. Had another process changed an item meanwhile, the save would throw a conflict rather than
            // overwrite that.
            for item in items { item.done.toggle() }
            try context.save()
            try Terminal.write(items)
        }
    }
}
