import Foundation
import ManagedStore

/// `todo check-all`: changes all objects in the store at once, then brings those in memory up to date.
struct CheckAllCommand: Command {
    static let usage = Usage(name: "check-all", summary: "marks every item as done, and shows the list")

    init(_ arguments: Arguments) throws {
        try arguments.requireNoOperands()
    }

    func run(on store: TodoStore) async throws {
        let context = store.viewContext
        try await context.perform {
            // The list as an app would have it on the screen when the button is pressed.
            let items = try context.fetch(Item.sorted())
            let updated = try checkOff(in: context)
            // The update went past the context, whose objects are as they were: they have to be turned into faults,
            // which read their values anew. A fault that is read costs a query, so all of them are fetched, in a single
            // one.
            for id in updated {
                if let item = context.registeredObject(for: id) { try context.refresh(item, mergeChanges: false) }
            }
            _ = try context.fetch(Item.sorted())
            try Terminal.write(items)
            Terminal.note("\(counted(updated.count, "item")) checked off\n")
        }
    }

    /// One UPDATE statement, whether there are three items or a million: no object is loaded. It tells which were
    /// updated.
    private func checkOff(in context: ManagedObjectContext) throws -> [ManagedObjectID] {
        var update = BatchUpdateRequest(
            Item.self, set: ["done": true], predicate: FetchPredicate(#Predicate<Item> { !$0.done }))
        update.resultType = .updatedObjectIDs
        guard case .updatedObjectIDs(let ids) = try context.execute(update) else { return [] }
        return ids
    }
}
