import Foundation

/// The objects that a context saved or merged while an asynchronous fetch was under way: the fetch may have read their
/// rows before. By the entities at the roots of hierarchies.
final class ChangedKeys {
    private var keys: [Int: Set<Int64>] = [:]
    /// Whether the objects made so far have left the context.
    private(set) var wasReset = false

    func insert(_ ids: ObjectIDSet) {
        for group in ids.groups { keys[group.source.rootIndex, default: []].formUnion(group.keys) }
    }

    func insert(_ object: ManagedObject) {
        keys[object.rootIndex, default: []].insert(object.row.key)
    }

    /// Remembers that the objects made so far left the context.
    func noteReset() {
        wasReset = true
    }

    func keys(of root: Int) -> Set<Int64> { keys[root] ?? [] }
}
