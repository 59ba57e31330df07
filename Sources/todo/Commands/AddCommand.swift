import Foundation
import ManagedStore

/// `todo add`: inserts an object and saves it.
struct AddCommand: Command {
    static let usage = Usage(
        name: "add", operands: "TEXT...", summary: "adds an item",
        details: "The words become one item's text. Put -- before text that begins with a dash.")

    private let name: String

    init(_ arguments: Arguments) throws {
        name = try arguments.requireOperands().joined(separator: " ")
        if name.allSatisfy(\.isWhitespace) { throw UsageError("an item needs a text: \(Self.usage.synopsis)") }
    }

    func run(on store: TodoStore) async throws {
        let context = store.viewContext
        // A context is used on its queue, so the block runs there. It returns a line rather than the item: objects
        // belong to their context's queue, and the compiler does not let them leave it.
        let line = try await context.perform {
            let item = Item(name, in: context)
            // The item has a temporary ID. The save writes the item and assigns the number that people use.
            try context.save()
            return item.line
        }
        try Terminal.write("\(line)\n")
    }
}
