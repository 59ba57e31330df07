import Foundation
import ManagedStore

/// `todo check-all`: changes all objects in the store at once, then updates those in memory.
struct CheckAllCommand: Command {
    static let usage = Usage(name: "check-all", summary: "marks every item as done, and shows the list")

    init(_ arguments: Arguments) throws {
        try arguments.requireNoOperands()
    }

    func run(on store: TodoStore) async throws {
        let context = store.viewContext
        try await context.perform {
            // The list that an app would have on the screen when the button is pressed.
            let items = try context.fetch(Item.sorted())
            let updated = try checkOff(in: context)
            // The update bypassed the context, whose objects are unchanged. They have to become faults, which read
            // their values anew. Since each fault would cost a query, a single fetch reads all of them.
            for id in updated {
                if let item = context.registeredObject(for: id) { try context.refresh(item, mergeChanges: false) }
            }
            _ = try context.fetch(Item.sorted())
            try Terminal.write(items)
            Terminal.note("\(counted(updated.count, "item")) checked off\n")
        }
    }

    /// Runs one UPDATE statement, whether there are three items or a million, without loading an object. Returns the
    /// updated IDs.
    private func checkOff(in context: ManagedObjectContext) throws -> [ManagedObjectID] {
        var update = BatchUpdateRequest(
            Item.self, set: ["done": true], predicate: FetchPredicate(#Predicate<Item> { !$0.done }))
        update.resultType = .updatedObjectIDs
        guard case .updatedObjectIDs(let ids) = try context.execute(update) else { return [] }
        return ids
    }
}
