import Foundation
import ManagedStore

/// Reads a file and saves its content in the background: with a context of its own on a shared coordinator.
final class SyncOperation: Operation, @unchecked Sendable {
    // Unchecked: `main` writes `outcome`; other code reads it after the operation has finished.

    struct Summary: Sendable {
        var added = 0
        var changed = 0
        var unchanged = 0
    }

    let context: ManagedObjectContext
    private(set) var outcome: Result<Summary, any Error> = .success(Summary())
    private let path: String

    /// The context belongs to the operation alone. It exists from the start so that other code can observe its saves.
    init(readingFrom path: String, context: ManagedObjectContext) {
        self.path = path
        self.context = context
    }

    override func main() {
        outcome = Result {
            let records = try SyncFile.read(path)
            return try context.performAndWait { try apply(records) }
        }
    }

    /// Saves once at the end: the whole file, or nothing.
    private func apply(_ records: [SyncRecord]) throws -> Summary {
        let known = try items(named: records.map(\.name))
        var summary = Summary()
        for record in records {
            if let item = known[record.name] {
                if record.update(item) { summary.changed += 1 } else { summary.unchanged += 1 }
            } else {
                _ = Item(record.name, createdAt: record.createdAt, done: record.done, in: context)
                summary.added += 1
            }
        }
        try context.save()
        return summary
    }

    /// Returns the oldest item of each name. It looks up some names at a time, since SQL limits the number of values in
    /// a condition.
    private func items(named names: [String]) throws -> [String: Item] {
        var items: [String: Item] = [:]
        for start in stride(from: 0, to: names.count, by: 10_000) {
            let some = Array(names[start..<min(start + 10_000, names.count)])
            var request = Item.sorted()
            request.predicate = FetchPredicate(#Predicate<Item> { some.contains($0.name) })
            for item in try context.fetch(request) where items[item.name] == nil { items[item.name] = item }
        }
        return items
    }
}

extension SyncRecord {
    /// Sets the record's values on an item; returns whether any value differs. Setting an attribute marks it as
    /// changed, so equal values are not set.
    fileprivate func update(_ item: Item) -> Bool {
        if item.done == done, item.createdAt == createdAt { return false }
        item.done = done
        item.createdAt = createdAt
        return true
    }
}
