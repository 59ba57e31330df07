import Foundation
import ManagedStore

/// `todo add`: makes an object and saves it.
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
        // A context is used on its queue, so the work goes there. The block returns a line, not the item: objects
        // belong to their context's queue, and the compiler does not let them out.
        let line = try await context.perform {
            let item = Item(name, in: context)
            // Until here the item has a temporary ID. Saving writes it, and gives it the number that people will use.
            try context.save()
            return item.line
        }
        try Terminal.write("\(line)\n")
    }
}
