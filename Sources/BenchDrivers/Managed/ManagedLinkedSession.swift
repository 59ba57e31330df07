import BenchHarness
import Foundation
import ManagedStore

/// A session about one of several entities.
final class ManagedLinkedSession: ManagedSession<LinkedMapping> {
    /// The entities in an order in which each comes after those that it leads to.
    private let entities: [EntitySpec]
    private let mappings: [String: LinkedMapping]

    init(_ configuration: StoreConfiguration, in place: any ManagedPlace) throws {
        let all = [configuration.entity] + configuration.others
        guard let ordered = all.inSeedingOrder else {
            throw DriverError(.invalidRequest, "the relationships of \(configuration.entity.name) lead in a circle")
        }
        entities = ordered
        let mappings = all.map { entity in
            LinkedMapping(entity, among: all.filter { $0.name != entity.name })
        }
        self.mappings = Dictionary(uniqueKeysWithValues: zip(all.map(\.name), mappings))
        try super.init(
            configuration, mappings[0], others: mappings.dropFirst().map(\.description), in: place)
    }

    // MARK: Seeding

    /// Makes the objects of all entities. The context keeps those that others lead to, as the object of a variable.
    override func seed(_ work: SeedWork, records count: Int, monitor: PhaseMonitor) throws {
        guard count > 0 else { return }
        try context.performAndWait {
            var made: [String: [ManagedObject]] = [:]
            for save in saves(work, count) {
                try monitor.operation {
                    for part in save { try insert(part, &made) }
                    try context.save()
                }
            }
        }
    }

    /// Some of the records of an entity.
    private typealias Part = (entity: EntitySpec, generator: RecordGenerator, ordinals: Range<Int>)

    /// Returns what each save inserts: a part of the records of one entity, or all records of all of them.
    private func saves(_ work: SeedWork, _ count: Int) -> [[Part]] {
        let parts = entities.flatMap { entity -> [Part] in
            // Once for all parts: it takes longer to make than the values of some records.
            let generator = records.sibling(entity)
            return work.saves(of: entity.records ?? count).map { (entity, generator, $0) }
        }
        return work.saveEvery > 0 ? parts.map { [$0] } : [parts]
    }

    /// Makes objects of one entity, which lead to those that were `made`, and adds them to these if others need them.
    private func insert(_ part: Part, _ made: inout [String: [ManagedObject]]) throws {
        let (entity, generator) = (part.entity, part.generator)
        guard let mapping = mappings[entity.name] else { return }
        let toOnes = zip(entity.toOneAttributes, entity.toOnes).map { ($0, $1.relationship, made[$1.entityName] ?? []) }
        let isNeeded = isNeeded(entity)
        var objects: [ManagedObject] = []
        for ordinal in part.ordinals {
            let object = try mapping.make(in: context)
            mapping.fill(object, ordinal, of: generator)
            for (attribute, relationship, targets) in toOnes {
                try object.setValue(targets[Int(generator.int64(attribute, ordinal)) - 1], forKey: relationship)
            }
            for (place, link) in (entity.links ?? []).enumerated() {
                let targets = made[link.entityName] ?? []
                try object.setValue(
                    Set(generator.links(place, ordinal).map { targets[Int($0) - 1] }), forKey: link.relationship)
            }
            if isNeeded { objects.append(object) }
        }
        made[entity.name, default: []] += objects
    }

    /// Whether objects of other entities lead to those of an entity.
    private func isNeeded(_ entity: EntitySpec) -> Bool {
        entities.contains { other in
            other.toOnes.contains { $0.entityName == entity.name }
                || (other.links ?? []).contains { $0.entityName == entity.name }
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
            let entity = records.entity
            if let toOne = entity.toOnes.first(where: { $0.relationship == follow.relationship }) {
                return FetchedTargets(
                    mapping, objects, toOne.relationship, try mapping(of: toOne.entityName).fields, in: context)
            }
            let groups = objects.map { mapping.members(of: $0, follow.relationship) }
            return FetchedGroups(
                mapping, objects, groups, try mapping(of: member(by: follow.relationship)),
                isOrdered: entities.keepOrder(by: follow.relationship, of: entity), in: context)
        }
    }

    /// Returns the name of the entity that a relationship to many leads to.
    private func member(by relationship: String) -> String {
        let own = records.entity
        if let link = own.links?.first(where: { $0.relationship == relationship }) { return link.entityName }
        let other = entities.first { other in
            other.toOnes.contains { $0.entityName == own.name && $0.inverse == relationship }
                || (other.links ?? []).contains { $0.entityName == own.name && $0.inverse == relationship }
        }
        return other?.name ?? relationship
    }

    private func mapping(of entity: String) throws -> LinkedMapping {
        guard let mapping = mappings[entity] else {
            throw DriverError(.invalidRequest, "\(records.entity.name) has no relationship to \(entity)")
        }
        return mapping
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
