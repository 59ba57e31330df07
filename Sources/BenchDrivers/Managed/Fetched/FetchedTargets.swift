import BenchHarness
import ManagedStore

/// The objects of a fetch, in order, each with the one that a relationship leads to.
struct FetchedTargets<Mapping: ObjectMapping>: ContextRecords {
    let mapping: Mapping
    let objects: [Mapping.Object]
    let relationship: Schema.Relationship
    let target: any ObjectMapping
    /// Held so that the context finds them in memory.
    let prefetched: [ManagedObject]
    let context: ManagedObjectContext

    var count: Int { objects.count }

    func digest(_ positions: Range<Int>, into digester: inout RecordDigester) {
        context.performAndWait {
            mapping.digest(objects[positions], leadingBy: relationship, to: target, into: &digester)
        }
    }
}

/// The objects of a fetch, in order, each with those that a relationship leads to.
struct FetchedGroups<Mapping: ObjectMapping>: ContextRecords {
    let mapping: Mapping
    let objects: [Mapping.Object]
    let groups: [[ManagedObject]]
    let member: any ObjectMapping
    let isOrdered: Bool
    let context: ManagedObjectContext

    var count: Int { objects.count }

    func digest(_ positions: Range<Int>, into digester: inout RecordDigester) {
        context.performAndWait {
            for position in positions {
                let object = objects[position]
                digester.addOwner(object.objectID.primaryKey, isOrdered: isOrdered) {
                    mapping.digest(object, into: &$0)
                } records: {
                    member.digest(members: groups[position], into: &$0)
                }
            }
        }
    }
}
