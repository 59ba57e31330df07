import BenchHarness
import ManagedStore

/// Making the objects of several entities, and following the relationships between them.
extension ManagedSession {
    private var schema: Schema { configuration.schema }

    // MARK: Seeding

    /// Some of the records of an entity.
    private typealias Part = (place: Int, generator: RecordGenerator, ordinals: Range<Int>)

    /// Makes the objects of all entities. The context keeps those that others lead to, as the object of a variable.
    func seed(_ work: SeedWork, records count: Int, monitor: PhaseMonitor) throws {
        guard count > 0 else { return }
        let (saves, isCircular) = (try saves(work, count), schema.leadsToLaterRecords)
        let areNeeded = schema.entities.map { entity in
            isCircular || entity.relationships.contains { $0.isToMany && !$0.isDeclared }
        }
        try context.performAndWait {
            var made: [[ManagedObject]] = schema.entities.map { _ in [] }
            for save in saves {
                try monitor.operation {
                    for part in save { made[part.place] += try insert(part, among: made, keeps: areNeeded[part.place]) }
                    if isCircular { try relate(save, made) }
                    try context.save()
                }
            }
        }
    }

    private func insert(_ part: Part, among made: [[ManagedObject]], keeps: Bool) throws -> [ManagedObject] {
        try mappings[part.place].insert(part.ordinals, of: part.generator, in: context, keeps: keeps) {
            made[$1].indices.contains(Int($0) - 1) ? made[$1][Int($0) - 1] : nil
        }
    }

    /// Has new objects lead to others, some of which were not made when they were.
    private func relate(_ parts: [Part], _ made: [[ManagedObject]]) throws {
        for part in parts {
            for ordinal in part.ordinals {
                try mappings[part.place].relate(made[part.place][ordinal], ordinal, of: part.generator) {
                    made[$1][Int($0) - 1]
                }
            }
        }
    }

    /// Returns what each save inserts: a part of the records of one entity, or all records of all of them.
    private func saves(_ work: SeedWork, _ count: Int) throws -> [[Part]] {
        let parts = schema.inSeedingOrder.flatMap { place -> [Part] in
            let records = place == schema.focus ? count : schema.entities[place].count ?? 0
            // Once for all parts: it takes longer to make than the values of some records.
            let generator = configuration.generator(of: place)
            return work.saves(of: records).map { (place, generator, $0) }
        }
        // Objects that lead to each other in a circle are new at the same time.
        return work.saveEvery == 0 || schema.leadsToLaterRecords ? [parts] : parts.map { [$0] }
    }

    // MARK: Following

    /// Fetches records and follows a relationship from them.
    func fetch(_ work: FetchWork, following follow: FollowSpec) throws -> any FetchedRecords {
        guard let relationship = schema.relationship(follow.relationship) else {
            throw DriverError(.invalidRequest, "\(schema.entity.name) has no relationship \(follow.relationship)")
        }
        let target = mappings[relationship.destination]
        var request: FetchRequest<Mapping.Object> = request(work, of: mapping)
        var prefetched: [ManagedObject] = []
        if follow.prefetch {
            // All records lead to all others, which one fetch of these finds sooner.
            if !relationship.isToMany, work.filter == nil, work.limit == 0 {
                let all = FetchRequest<ManagedObject>(entity: target.entity(called: relationship.target))
                prefetched = try context.fetch(all)
            } else {
                request.relationshipKeyPathsForPrefetching = [follow.relationship]
            }
        }
        let objects = try context.fetch(request)
        if relationship.isToMany {
            return FetchedGroups(
                mapping: mapping, objects: objects, groups: objects.map { mapping.members(of: $0, by: relationship) },
                member: target, isOrdered: relationship.isOrdered, context: context)
        }
        return FetchedTargets(
            mapping: mapping, objects: objects, relationship: relationship, target: target, prefetched: prefetched,
            context: context)
    }

    // MARK: Changing

    /// Returns a closure that makes changes in an object; all changed objects get the same related objects of the
    /// context. Call it on the context's queue.
    func change(_ set: [AttributeChange], linking links: [LinkChange] = []) throws -> (Mapping.Object) -> Void {
        let toOnes = schema.entity.relationships.filter { !$0.isToMany }
        let change: (Mapping.Object) -> Void = try mapping.change(
            set.filter { change in !toOnes.contains { $0.name == change.attribute } })
        let moves = try set.compactMap { move -> (Schema.Relationship, ManagedObject)? in
            guard let relationship = toOnes.first(where: { $0.name == move.attribute }) else { return nil }
            guard case .assign(.int64(let number)) = move.operation else {
                throw DriverError(.invalidRequest, "\(move.attribute) takes the number of a record, not \(move)")
            }
            return (relationship, try stored.object(number, relationship.destination, in: context))
        }
        let links = try links.map { link -> (LinkChange, ManagedObject) in
            guard let relationship = schema.relationship(link.relationship) else {
                throw DriverError(.invalidRequest, "\(schema.entity.name) has no relationship \(link.relationship)")
            }
            return (link, try stored.object(link.number, relationship.destination, in: context))
        }
        // Not a loop over the moves, which would copy each for every object.
        let moving = moves.reduce(change) { [mapping] change, move in
            { (object: Mapping.Object) -> Void in
                change(object)
                mapping.relate(object, by: move.0, to: move.1)
            }
        }
        return links.reduce(moving) { change, link in
            { (object: Mapping.Object) -> Void in
                change(object)
                object.make(link.0, of: link.1)
            }
        }
    }
}

extension ManagedObject {
    /// Links the object to another, or unlinks it, without reading those that it is linked to.
    fileprivate func make(_ change: LinkChange, of other: ManagedObject) {
        // The scenario reader has checked the name.
        do {
            if change.links {
                try add(other, toRelationshipNamed: change.relationship)
            } else {
                try remove(other, fromRelationshipNamed: change.relationship)
            }
        } catch { preconditionFailure("\(error)") }
    }
}

/// Finds the objects that the store has of records, by their numbers.
struct StoredObjects: Sendable {
    private let mappings: [any ObjectMapping]
    /// Tell the entities of the records, by the places of their tables; nil where all are of one.
    private let records: [RecordGenerator?]

    init(_ mappings: [any ObjectMapping], _ configuration: StoreConfiguration) {
        self.mappings = mappings
        records = mappings.indices.map { place in
            mappings[place].subentities.isEmpty ? nil : configuration.generator(of: place)
        }
    }

    /// Returns the object of a record.
    func object(_ number: Int64, _ place: Int, in context: ManagedObjectContext) throws -> ManagedObject {
        guard let id = id(ofRecord: Int(number) - 1, place, context.persistentStoreCoordinator) else {
            throw DriverError(
                .invalidRequest, "there is no \(mappings[place].description.name) with the number \(number)")
        }
        return try context.existingObject(with: id)
    }

    /// Returns the ID of a record, which an application would have with its object: the key of record `n` is `n + 1`.
    /// To make one of a URI takes longer than to change the object.
    func id(ofRecord ordinal: Int, _ place: Int, _ coordinator: PersistentStoreCoordinator) -> ManagedObjectID? {
        let mapping = mappings[place]
        let entity = records[place].map { mapping.entity(of: ordinal, of: $0) } ?? mapping.description
        return coordinator.objectID(withPrimaryKey: Int64(ordinal) + 1, ofEntityNamed: entity.name)
    }
}
