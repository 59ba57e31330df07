import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// Several contexts edit, delete and save at random, each by what it has read some time ago. In any interleaving,
/// the store's rows agree with each other after every save, and none refers to what is not there.
@Suite struct RandomSaveTests {
    /// What the contexts have in common.
    enum Arrangement: String, CaseIterable, CustomTestStringConvertible {
        case sqlite, inMemory
        /// Two coordinators on one file, as two processes have.
        case coordinators
        /// A parent context, which is saved as well.
        case parent

        var testDescription: String { rawValue }
    }

    private final class World {
        let store: TestStore
        var contexts: [ManagedObjectContext] = []
        /// What each context has read, held so that it grows stale.
        var objects: [[ManagedObject]] = []
        var random: SeededGenerator
        private(set) var saves = 0
        private(set) var failures: [StoreError.Code: Int] = [:]

        init(_ arrangement: Arrangement, _ seed: UInt64) throws {
            random = SeededGenerator(seed: seed)
            store = try Workshop.store(arrangement == .inMemory ? .inMemory : .sqlite)
            switch arrangement {
            case .sqlite, .inMemory: contexts = (0..<3).map { [store] _ in store.context() }
            case .coordinators:
                let second = try store.secondCoordinator(try Workshop.model())
                contexts = [store.context(), ManagedObjectContext(coordinator: second), store.context()]
            case .parent:
                let parent = store.context()
                contexts = [parent]
                for _ in 0..<2 {
                    contexts.append(try ManagedObjectContext(concurrencyType: .confinement, parent: parent))
                }
            }
            objects = contexts.map { _ in [] }
            try fill()
            for index in contexts.indices { try fetch(index) }
        }

        private func fill() throws {
            let context = contexts[0]
            let bins = try ["Bin", "Drawer", "Bin"].map { try context.make($0) }
            let shelves = try (0..<3).map { _ in try context.make("Shelf") }
            for _ in 0..<5 { _ = try context.make("Thing", ["bin": random.pick(bins), "shelf": random.pick(shelves)]) }
            for _ in 0..<3 {
                _ = try context.make("Badge")
                _ = try context.make("Label")
                _ = try context.make("Owner")
                _ = try context.make("Seal", ["crate": context.make("Crate", ["shelf": random.pick(shelves)])])
            }
            try context.save()
        }

        func fetch(_ index: Int) throws {
            let entities = store.coordinator.managedObjectModel.entities.filter { $0.superentity == nil }
            objects[index] = try entities.flatMap { try contexts[index].fetch(FetchRequest(entityName: $0.name)) }
        }

        /// The objects of an entity that a context takes to be there.
        private func live(_ index: Int, _ entity: EntityDescription? = nil) -> [ManagedObject] {
            objects[index].filter { object in
                guard object.managedObjectContext != nil, !object.isDeleted,
                    entity.map({ object.entity.isKindOf(entity: $0) }) ?? true
                else { return false }
                return (try? contexts[index].existingObject(with: object.objectID)) === object
            }
        }

        private func entity(_ name: String) throws -> EntityDescription {
            try store.coordinator.managedObjectModel.entity(named: name)
        }

        func edit(_ index: Int) throws {
            let objects = live(index)
            guard !objects.isEmpty else { return }
            let object = random.pick(objects)
            switch Int.random(in: 0..<10, using: &random) {
            case 0: try insert(index)
            case 1, 2: contexts[index].delete(object)
            case 3: try object.setValue("\(Int.random(in: 0..<100, using: &random))", forKey: "name")
            default: try relate(object, index)
            }
        }

        private func insert(_ index: Int) throws {
            let names = ["Bin", "Drawer", "Thing", "Shelf", "Crate", "Seal", "Badge", "Label", "Owner"]
            let entity = try entity(random.pick(names))
            var values: [String: Any] = [:]
            for relationship in entity.relationships where !relationship.isOptional {
                let others = live(index, try self.entity(relationship.destinationEntityName))
                guard !others.isEmpty else { return }
                values[relationship.name] = random.pick(others)
            }
            objects[index].append(try contexts[index].make(entity.name, values))
        }

        private func relate(_ object: ManagedObject, _ index: Int) throws {
            let relationships = object.entity.relationships
            guard !relationships.isEmpty else { return }
            let relationship = random.pick(relationships)
            let others = live(index, try entity(relationship.destinationEntityName))
            if relationship.isToMany {
                let some = others.shuffled(using: &random).filter { _ in random.oneIn(3) }
                return try object.setValue(relationship.isOrdered ? some : Set(some) as Any, forKey: relationship.name)
            }
            if others.isEmpty || relationship.isOptional && random.oneIn(4) {
                return try object.setValue(nil, forKey: relationship.name)
            }
            try object.setValue(random.pick(others), forKey: relationship.name)
        }

        func save(_ index: Int) throws {
            let context = contexts[index]
            let policy = random.pick(MergePolicy.MergeType.allCases)
            context.mergePolicy = MergePolicy(policy)
            do throws(StoreError) {
                try context.save()
                saves += 1
                #expect(!context.hasChanges)
            } catch {
                failures[error.code, default: 0] += 1
                let isValidation = (1550...1690).contains(error.code.rawValue)
                #expect(isValidation || policy == .error && error.code == .mergeConflict, "\(policy): \(error)")
                if !random.oneIn(4) { context.rollback() }
            }
        }

        /// What a context does to learn what others did.
        func renew(_ index: Int) throws {
            switch Int.random(in: 0..<5, using: &random) {
            case 0: contexts[index].rollback()
            case 1: try contexts[index].refreshAllObjects()
            case 2:
                contexts[index].reset()
                try fetch(index)
            default: try fetch(index)
            }
        }

        func faults() throws -> [String] {
            var faults = try StoreConsistency.faults(store.coordinator)
            if let store = try store.coordinator.requireStore() as? SQLiteStore {
                faults += try StoreConsistency.faults(in: self.store.database(), of: store)
            }
            return faults
        }
    }

    @Test(arguments: Arrangement.allCases, EveryTest.cases(3, of: Array(1...6)) as [UInt64])
    func theStoreAgreesWithItselfAfterEverySave(_ arrangement: Arrangement, _ seed: UInt64) throws {
        let world = try World(arrangement, seed)
        for step in 0..<80 {
            let index = Int.random(in: world.contexts.indices, using: &world.random)
            for _ in 0..<Int.random(in: 1...4, using: &world.random) { try world.edit(index) }
            world.contexts[index]._checkInvariants()
            if world.random.oneIn(2) {
                try world.save(index)
                let faults = try world.faults()
                #expect(faults == [], "step \(step)")
                if !faults.isEmpty { return }
            }
            if world.random.oneIn(5) { try world.renew(index) }
            world.contexts[index]._checkInvariants()
        }
        #expect(world.saves > 3, "\(world.failures)")
    }
}
