import BenchHarness
import ManagedStore

/// Objects that a fetch found, in order, each with its owner.
struct ManagedOwned<Record: OwnedManagedRecord>: FetchedRecords {
    private let record: Record
    private let objects: [Record.Object]
    private let context: ManagedObjectContext

    /// Reads every attribute of both, on the context's queue.
    init(_ record: Record, _ objects: [Record.Object], in context: ManagedObjectContext) {
        self.record = record
        self.objects = objects
        self.context = context
        var sum: UInt64 = 0
        for object in objects {
            sum &+= record.touch(object)
            if let owner = record.owner(of: object) { sum &+= record.owner.touch(owner) }
        }
        BlackHole.consume(sum)
    }

    var count: Int { objects.count }

    func digest(into digester: inout RecordDigester) {
        context.performAndWait {
            for object in objects {
                record.digest(object, into: &digester)
                if let owner = record.owner(of: object) { record.owner.digest(owner, into: &digester) }
                digester.endRecord()
            }
        }
    }
}

/// Owners that a fetch found, and of each its objects.
struct ManagedOwners<Record: OwnedManagedRecord>: FetchedRecords {
    private let record: Record
    private let owners: [Record.Owner.Object]
    private let groups: [[Record.Object]]
    private let context: ManagedObjectContext

    /// Reads every attribute of both, on the context's queue.
    init(
        _ record: Record, _ owners: [Record.Owner.Object], _ groups: [[Record.Object]], in context: ManagedObjectContext
    ) {
        self.record = record
        self.owners = owners
        self.groups = groups
        self.context = context
        var sum: UInt64 = 0
        for owner in owners { sum &+= record.owner.touch(owner) }
        for group in groups {
            for object in group { sum &+= record.touch(object) }
        }
        BlackHole.consume(sum)
    }

    var count: Int { owners.count }

    func digest(into digester: inout RecordDigester) {
        context.performAndWait {
            for (owner, group) in zip(owners, groups) {
                var objects = RecordDigester()
                for object in group {
                    record.digest(object, into: &objects)
                    objects.endRecord()
                }
                digester.addOwner(owner.objectID.number, with: objects.digest) {
                    record.owner.digest(owner, into: &$0)
                }
            }
        }
    }
}
