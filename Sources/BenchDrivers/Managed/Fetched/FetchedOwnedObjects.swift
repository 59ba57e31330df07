import BenchHarness
import ManagedStore

/// The objects of a fetch, in order, each with its owner.
struct FetchedOwnedObjects<Mapping: OwnedObjectMapping>: ContextRecords {
    private let mapping: Mapping
    private let objects: [Mapping.Object]
    /// Held so that the context finds them in memory.
    private let prefetched: [Mapping.Owner.Object]
    let context: ManagedObjectContext

    init(
        _ mapping: Mapping, _ objects: [Mapping.Object], prefetched: [Mapping.Owner.Object],
        in context: ManagedObjectContext
    ) {
        self.mapping = mapping
        self.objects = objects
        self.prefetched = prefetched
        self.context = context
    }

    var count: Int { objects.count }

    func digest(_ positions: Range<Int>, into digester: inout RecordDigester) {
        context.performAndWait { mapping.digestWithOwners(objects[positions], into: &digester) }
    }
}

/// The owners of a fetch, each with its objects.
struct FetchedOwners<Mapping: OwnedObjectMapping>: ContextRecords {
    private let mapping: Mapping
    private let owners: [Mapping.Owner.Object]
    private let groups: [[Mapping.Object]]
    let context: ManagedObjectContext

    init(
        _ mapping: Mapping, _ owners: [Mapping.Owner.Object], _ groups: [[Mapping.Object]],
        in context: ManagedObjectContext
    ) {
        self.mapping = mapping
        self.owners = owners
        self.groups = groups
        self.context = context
    }

    var count: Int { owners.count }

    func digest(_ positions: Range<Int>, into digester: inout RecordDigester) {
        context.performAndWait {
            for position in positions {
                let owner = owners[position]
                digester.addOwner(owner.objectID.primaryKey) {
                    mapping.owner.digest(owner, into: &$0)
                } records: {
                    mapping.digest(groups[position][...], into: &$0)
                }
            }
        }
    }
}
