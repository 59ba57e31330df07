import BenchHarness
import Foundation
import ManagedStore

/// A session about one of several entities.
final class ManagedLinkedSession: ManagedSession<LinkedMapping> {
    private let schema: Schema
    /// The places of the entities, each after those that it leads to.
    private let ordered: [Int]
    /// The mappings of the entities, by their places.
    private let mappings: [LinkedMapping]

    init(_ configuration: StoreConfiguration, in place: any ManagedPlace) throws {
        schema = configuration.schema
        guard let ordered = schema.inSeedingOrder else {
            throw DriverError(.invalidRequest, "the relationships of \(configuration.entity.name) lead in a circle")
        }
        self.ordered = ordered
        mappings = schema.roots.map { [schema] in LinkedMapping(schema.focused(on: $0)) }
        try super.init(
            configuration, mappings[schema.focus], others: schema.others.map { [mappings] in mappings[$0].description },
            in: place)
    }

    // MARK: Seeding

    /// Makes the objects of all entities. The context keeps those that others lead to, as the object of a variable.
    override func seed(_ work: SeedWork, records count: Int, monitor: PhaseMonitor) throws {
        guard count > 0 else { return }
        try context.performAndWait {
            var made: [[ManagedObject]] = schema.entities.map { _ in [] }
            for save in saves(work, count) {
                try monitor.operation {
                    for part in save { try insert(part, &made) }
                    try context.save()
                }
            }
        }
    }

    /// Some of the records of an entity.
    private typealias Part = (place: Int, generator: RecordGenerator, ordinals: Range<Int>)

    /// Returns what each save inserts: a part of the records of one entity, or all records of all of them.
    private func saves(_ work: SeedWork, _ count: Int) -> [[Part]] {
        let parts = ordered.flatMap { place -> [Part] in
            // Once for all parts: it takes longer to make than the values of some records.
            let generator = place == schema.focus ? records : records.sibling(schema.entities[place].record)
            return work.saves(of: schema.entities[place].count ?? count).map { (place, generator, $0) }
        }
        return work.saveEvery > 0 ? parts.map { [$0] } : [parts]
    }

    /// Makes objects of one entity, which lead to those that were `made`, and adds them to these if others need them.
    private func insert(_ part: Part, _ made: inout [[ManagedObject]]) throws {
        let (mapping, generator, entity) = (mappings[part.place], part.generator, schema.entities[part.place])
        let first = entity.record.toOneAttributes.lowerBound
        let isNeeded = isNeeded(part.place)
        var objects: [ManagedObject] = []
        for ordinal in part.ordinals {
            let object = try mapping.make(in: context)
            mapping.fill(object, ordinal, of: generator)
            for relationship in entity.relationships {
                switch relationship.place {
                case .number(let toOne):
                    let number = Int(generator.int64(first + toOne, ordinal))
                    try object.setValue(made[relationship.destination][number - 1], forKey: relationship.name)
                case .pairs(let link, isForward: true):
                    let targets = made[relationship.destination]
                    try object.setValue(
                        Set(generator.links(link.place, ordinal).map { targets[Int($0) - 1] }),
                        forKey: relationship.name)
                default: break
                }
            }
            if isNeeded { objects.append(object) }
        }
        made[part.place] += objects
    }

    /// Whether objects of other entities lead to those of an entity.
    private func isNeeded(_ place: Int) -> Bool {
        schema.entities[place].relationships.contains { end in
            switch end.place {
            case .number, .pairs(_, isForward: true): false
            case .inverse, .pairs(_, isForward: false): true
            }
        }
    }

    override func makeObject(_ ordinal: Int, of records: RecordGenerator) throws {
        try mapping.insert(ordinal, of: records, in: context)
    }

    // MARK: Following

    override func fetch(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        guard let follow = work.follow else { return try super.fetch(work, monitor: monitor) }
        return try context.performAndWait {
            var request = request(work)
            if follow.prefetch { request.relationshipKeyPathsForPrefetching = [follow.relationship] }
            let objects = try context.fetch(request)
            let relationship = try relationship(follow.relationship)
            let target = mappings[relationship.destination]
            if !relationship.isToMany {
                return FetchedTargets(mapping, objects, relationship.name, target.fields, in: context)
            }
            let groups = objects.map { mapping.members(of: $0, relationship.name) }
            return FetchedGroups(
                mapping, objects, groups, target, isOrdered: relationship.isOrdered, in: context)
        }
    }

    private func relationship(_ name: String) throws -> Schema.Relationship {
        if let relationship = schema.relationship(name, of: schema.focus) { return relationship }
        throw DriverError(.invalidRequest, "\(schema.entity.name) has no relationship \(name)")
    }

    // MARK: Changing

    /// Returns the closure that makes the changes; all changed records get the same related objects of the context.
    override func change(_ set: [AttributeChange]) throws -> (ManagedObject) -> Void {
        let names = records.entity.toOnes.map(\.relationship)
        let change: (ManagedObject) -> Void = try super.change(set.filter { !names.contains($0.attribute) })
        let moves = try set.compactMap { move -> (String, ManagedObject)? in
            guard let place = names.firstIndex(of: move.attribute) else { return nil }
            guard case .assign(.int64(let number)) = move.operation else {
                throw DriverError(.invalidRequest, "\(move.attribute) takes the number of a record, not \(move)")
            }
            return (move.attribute, try mapping.stored(number, at: place, in: context))
        }
        if moves.isEmpty { return change }
        return { (object: ManagedObject) -> Void in
            change(object)
            for (relationship, target) in moves {
                do { try object.setValue(target, forKey: relationship) } catch { preconditionFailure("\(error)") }
            }
        }
    }
}
