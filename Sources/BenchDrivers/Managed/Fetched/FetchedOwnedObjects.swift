import BenchHarness
import ManagedStore

/// The objects of a fetch, in order, each with its owner.
struct FetchedOwnedObjects<Mapping: OwnedObjectMapping>: FetchedRecords {
    private let mapping: Mapping
    private let objects: [Mapping.Object]
    private let context: ManagedObjectContext

    /// Reads every attribute of both, on the context's queue.
    init(_ mapping: Mapping, _ objects: [Mapping.Object], in context: ManagedObjectContext) {
        self.mapping = mapping
        self.objects = objects
        self.context = context
        var sum: UInt64 = 0
        for object in objects {
            sum &+= mapping.touch(object)
            if let owner = mapping.owner(of: object) { sum &+= mapping.owner.touch(owner) }
        }
        BlackHole.consume(sum)
    }

    var count: Int { objects.count }

    func digest(into digester: inout RecordDigester) {
        context.performAndWait {
            for object in objects {
                mapping.digest(object, into: &digester)
                if let owner = mapping.owner(of: object) { mapping.owner.digest(owner, into: &digester) }
                digester.endRecord()
            }
        }
    }
}

/// The owners of a fetch, each with its objects.
struct FetchedOwners<Mapping: OwnedObjectMapping>: FetchedRecords {
    private let mapping: Mapping
    private let owners: [Mapping.Owner.Object]
    private let groups: [[Mapping.Object]]
    private let context: ManagedObjectContext

    /// Reads every attribute of both, on the context's queue.
    init(
        _ mapping: Mapping, _ owners: [Mapping.Owner.Object], _ groups: [[Mapping.Object]],
        in context: ManagedObjectContext
    ) {
        self.mapping = mapping
        self.owners = owners
        self.groups = groups
        self.context = context
        var sum: UInt64 = 0
        for owner in owners { sum &+= mapping.owner.touch(owner) }
        for group in groups {
            for object in group { sum &+= mapping.touch(object) }
        }
        BlackHole.consume(sum)
    }

    var count: Int { owners.count }

    func digest(into digester: inout RecordDigester) {
        context.performAndWait {
            for (owner, group) in zip(owners, groups) {
                var objects = RecordDigester()
                for object in group {
                    mapping.digest(object, into: &objects)
                    objects.endRecord()
                }
                digester.addOwner(owner.objectID.number, with: objects.digest) {
                    mapping.owner.digest(owner, into: &$0)
                }
            }
        }
    }
}
