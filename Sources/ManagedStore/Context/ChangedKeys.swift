import Foundation

/// The objects that a context saved or merged while an asynchronous fetch was under way: the fetch may have read their rows
/// before.
final class ChangedKeys {
    private var keys: [Int: Set<Int64>] = [:]

    func insert(_ ids: ObjectIDSet) {
        for group in ids.groups { keys[group.source.entityIndex, default: []].formUnion(group.keys) }
    }

    func keys(of entity: Int) -> Set<Int64> { keys[entity] ?? [] }
}
