@testable import ManagedStore

/// Two stores of either kind with the same random rows, which must answer alike.
struct StorePair {
    let sqlite: ManagedObjectContext
    let memory: ManagedObjectContext

    init(_ random: inout RandomRows, rows: Int) throws {
        sqlite = try TestStore(.sqlite).context()
        memory = try TestStore(.inMemory).context()
        for _ in 0..<rows {
            let (left, right) = (Everything(context: sqlite), Everything(context: memory))
            try random.fill(left)
            for attribute in left.entity.attributes {
                try right.setValue(try left.storedValue(forKey: attribute.name), forKey: attribute.name)
            }
        }
        try sqlite.save()
        try memory.save()
    }
}
