import Foundation

/// The keys of the objects that a context saved or merged during an asynchronous fetch, by root entity. The fetch may
/// have read the rows of these objects before the change.
final class ChangedKeys {
    private var keys: [Int: Set<Int64>] = [:]
    /// Whether the context was reset, so that the objects made so far have left it.
    private(set) var wasReset = false

    func insert(_ ids: ObjectIDSet) {
        for group in ids.groups { keys[group.source.rootIndex, default: []].formUnion(group.keys) }
    }

    func insert(_ object: ManagedObject) {
        keys[object.rootIndex, default: []].insert(object.row.key)
    }

    /// Records that the objects made so far have left the context.
    func noteReset() {
        wasReset = true
    }

    var isEmpty: Bool { keys.isEmpty }

    func keys(of root: Int) -> Set<Int64> { keys[root] ?? [] }
}
