import Testing

@testable import ManagedStore

/// A database and a store in memory with the same random rows, and a context with these rows unsaved, which must answer
/// alike.
struct StorePair {
    let stored: ManagedObjectContext
    let memory: ManagedObjectContext
    let unsaved: ManagedObjectContext

    init(_ random: inout RandomRows, rows: Int, in database: Backend = .sqlite) throws {
        stored = try TestStore(database).context()
        memory = try TestStore(.inMemory).context()
        unsaved = try TestStore(.inMemory).context()
        for _ in 0..<rows {
            let first = Everything(context: stored)
            try random.fill(first)
            for context in [memory, unsaved] {
                let other = Everything(context: context)
                for attribute in first.entity.attributes {
                    try other.setValue(try first.storedValue(forKey: attribute.name), forKey: attribute.name)
                }
            }
        }
        try stored.save()
        try memory.save()
    }

    /// What the three find, each as the numbers of the rows, the first of which is 1.
    func answers(_ request: FetchRequest<Everything>) throws -> [[Int64]] {
        try [stored, memory, unsaved].map { context in
            try context.fetchObjectIDs(request).map { id in
                id.isTemporaryID ? context.pending.temporaryKeyBase - id.key + 1 : id.key
            }
        }
    }

    /// A row's values, for the description of a failure.
    func describe(row: Int64) throws -> String {
        let object = try #require(try stored.fetch(FetchRequest(Everything.self)).first { $0.row.key == row })
        return try object.entity.attributes.map { "\($0.name): \(try object.storedValue(forKey: $0.name))" }
            .joined(separator: ", ")
    }
}
