import BenchHarness
import Foundation
import ManagedStore

/// A session whose records belong to owners.
final class ManagedOwnedSession<Mapping: OwnedObjectMapping>: ManagedSession<Mapping> {
    typealias Owner = Mapping.Owner.Object

    private let owner: OwnerSpec
    private let generator: RecordGenerator

    init(_ configuration: StoreConfiguration, in place: any ManagedPlace) throws {
        guard let owner = configuration.entity.owner, let generator = configuration.records.owners else {
            throw DriverError(.invalidRequest, "\(configuration.entity.name) has no owner")
        }
        self.owner = owner
        self.generator = generator
        let mapping = Mapping(configuration.entity)
        try super.init(configuration, mapping, others: [mapping.owner.description], in: place)
    }

    override func seed(_ work: SeedWork, records count: Int, monitor: PhaseMonitor) throws {
        let attribute = records.entity.attributes.count - 1
        try context.performAndWait {
            var owners: [Owner] = []
            for save in work.saves(of: count) {
                try monitor.operation {
                    if owners.isEmpty { owners = try makeOwners() }
                    for ordinal in save {
                        let object = try mapping.make(in: context)
                        mapping.fill(object, ordinal, of: records)
                        mapping.setOwner(owners[Int(records.int64(attribute, ordinal)) - 1], of: object)
                    }
                    try context.save()
                }
            }
        }
    }

    private func makeOwners() throws -> [Owner] {
        try (0..<owner.records).map { ordinal in
            let object = try mapping.owner.make(in: context)
            mapping.owner.fill(object, ordinal, of: generator)
            return object
        }
    }

    override func makeObject(_ ordinal: Int, of records: RecordGenerator) throws {
        try mapping.insert(ordinal, of: records, in: context)
    }

    // MARK: Following

    override func fetch(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        guard let follow = work.follow else { return try super.fetch(work, monitor: monitor) }
        return try context.performAndWait {
            if !follow.leadsToRecords(of: records.entity) { return try fetchWithOwners(work, follow) }
            var request = FetchRequest<Owner>(entity: mapping.owner.description)
            if follow.prefetch { request.relationshipKeyPathsForPrefetching = [follow.relationship] }
            let owners = try context.fetch(request)
            return FetchedOwners(mapping, owners, owners.map { mapping.objects(of: $0) }, in: context)
        }
    }

    /// Fetches records with their owners: an owner that the context holds is found in memory, others are read one by
    /// one.
    private func fetchWithOwners(_ work: FetchWork, _ follow: FollowSpec) throws -> any FetchedRecords {
        let owners =
            follow.prefetch ? try context.fetch(FetchRequest<Owner>(entity: mapping.owner.description)) : []
        let objects = try context.fetch(request(work))
        return FetchedOwnedObjects(mapping, objects, prefetched: owners, in: context)
    }

    // MARK: Changing

    /// Returns the closure that makes the changes; all changed records get the same owner object of the context.
    override func change(_ set: [AttributeChange]) throws -> (Mapping.Object) -> Void {
        let others = set.filter { $0.attribute != owner.relationship }
        let change: (Mapping.Object) -> Void = try super.change(others)
        guard let move = set.first(where: { $0.attribute == owner.relationship }) else { return change }
        let (mapping, target) = (mapping, try object(of: move))
        return { (object: Mapping.Object) -> Void in
            change(object)
            mapping.setOwner(target, of: object)
        }
    }

    private func object(of move: AttributeChange) throws -> Owner {
        guard case .assign(.int64(let number)) = move.operation else {
            throw DriverError(
                .invalidRequest, "\(owner.relationship) takes the number of a \(owner.entityName), not \(move)")
        }
        return try mapping.storedOwner(number, in: context)
    }
}
