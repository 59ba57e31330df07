import TestSupport
import Testing

@testable import ManagedStore

/// Batch deletion and relationships.
@Suite struct BatchDeleteRuleTests {
    /// All books of a store, deleted; then a context that has read nothing yet.
    private func deleteBooks(
        _ backend: Backend, _ fill: (ManagedObjectContext, Book) throws -> Void
    ) throws -> (TestStore, ManagedObjectContext, BatchDeleteResult) {
        let store = try Library.store(backend)
        let context = store.context()
        try fill(context, Book("Orlando", in: context))
        try context.save()
        var request = BatchDeleteRequest(fetchRequest: FetchRequest(Book.self))
        request.resultType = .objectIDs
        let result = try context.execute(request)
        #expect(try StoreConsistency.faults(store.coordinator) == [])
        return (store, store.context(), result)
    }

    @Test(arguments: Backend.strictCases) func cascadesDeleteTheOthers(_ backend: Backend) throws {
        let (_, other, result) = try deleteBooks(backend) { context, book in
            book.chapters = [Chapter("One", in: context), Chapter("Two", in: context)]
            book.cover = Cover("blue", in: context)
            _ = Chapter("of no book", in: context)
        }
        for name in ["Book", "Cover"] { #expect(try other.count(for: FetchRequest(entityName: name)) == 0) }
        #expect(try other.fetch(FetchRequest(Chapter.self)).map(\.title) == ["of no book"])
        guard case .objectIDs(let ids) = result else { return #expect(Bool(false)) }
        #expect(ids.map(\.entity.name).sorted() == ["Book", "Chapter", "Chapter", "Cover"])
    }

    @Test(arguments: Backend.strictCases) func othersForgetWhatIsDeleted(_ backend: Backend) throws {
        let store = try Library.store(backend)
        let context = store.context()
        let (author, mentor) = (Author("a", in: context), Author("m", in: context))
        (author.books, author.mentor) = ([Book("1", in: context), Atlas("2", in: context)], mentor)
        try context.save()
        let others = FetchRequest(Author.self, predicate: .compare("name", .equal, "a"))
        let keeper = store.context()
        let known = try keeper.fetch(FetchRequest(Book.self))
        _ = try context.execute(BatchDeleteRequest(fetchRequest: others))
        let other = store.context()
        let books = try other.fetch(FetchRequest(Book.self))
        #expect(books.count == 2 && books.allSatisfy { $0.author == nil })
        #expect(try other.fetch(FetchRequest(Author.self)).map(\.pupils) == [[]])
        // The version tells a context that knows the rows as they were.
        known[0].title = "changed"
        expectError(.mergeConflict) { try keeper.save() }
    }

    @Test(arguments: Backend.strictCases) func linksAreRemoved(_ backend: Backend) throws {
        let (store, other, _) = try deleteBooks(backend) { context, book in
            book.tags = [Tag("a", in: context), Tag("b", in: context)]
        }
        #expect(try other.fetch(FetchRequest(Tag.self)).allSatisfy(\.books.isEmpty))
        if backend == .sqlite {
            #expect(try StoreConsistency.faults(in: store.database(), of: store.coordinator.requireStore()) == [])
        }
    }

    @Test(arguments: Backend.strictCases) func denyRefusesTheDeletion(_ backend: Backend) throws {
        let store = try Workshop.store(backend)
        let context = store.context()
        let owner = try context.make("Owner")
        let bin = try context.make("Bin")
        let thing = try context.make("Thing", ["owners": [owner], "bin": bin])
        try context.save()
        for name in ["Owner", "Bin"] {
            let request = BatchDeleteRequest(fetchRequest: FetchRequest<ManagedObject>(entityName: name))
            let error = expectError(.validationRelationshipDeniedDelete) { try context.execute(request) }
            #expect(error?.message.contains("\(name).things has the delete rule deny, and Thing 1 is there") == true)
            #expect(try store.context().count(for: FetchRequest(entityName: name)) == 1)
        }
        _ = try context.execute(BatchDeleteRequest(objectIDs: [thing.objectID]))
        for id in [owner.objectID, bin.objectID] { _ = try context.execute(BatchDeleteRequest(objectIDs: [id])) }
        #expect(try store.context().count(for: FetchRequest(entityName: "Owner")) == 0)
    }

    @Test(arguments: Backend.strictCases) func aRequiredRelationshipRefusesTheDeletion(_ backend: Backend) throws {
        let store = try TestStore(
            backend,
            model: try ManagedObjectModel(entities: [
                EntityDescription(
                    name: "Folder", attributes: [AttributeDescription](),
                    relationships: [RelationshipDescription("items", to: "Item", inverse: "folder", isToMany: true)]),
                EntityDescription(
                    name: "Item", attributes: [AttributeDescription](),
                    relationships: [
                        RelationshipDescription("folder", to: "Folder", inverse: "items", isOptional: false)
                    ]),
            ]))
        let context = store.context()
        let folder = try context.make("Folder")
        let item = try context.make("Item", ["folder": folder])
        _ = try context.make("Folder")
        try context.save()
        let all = BatchDeleteRequest(fetchRequest: FetchRequest<ManagedObject>(entityName: "Folder"))
        let error = expectError(.validationMissingMandatoryProperty) { try context.execute(all) }
        #expect(error?.message.contains("would leave the required folder of Item 1 without an object") == true)
        #expect(try store.context().count(for: FetchRequest(entityName: "Folder")) == 2)
        _ = try context.execute(BatchDeleteRequest(objectIDs: [item.objectID]))
        _ = try context.execute(all)
        #expect(try store.context().count(for: FetchRequest(entityName: "Folder")) == 0)
    }

    /// The same objects, deleted by a context and by a batch request in two equal stores.
    @Test(arguments: Backend.strictCases, EveryTest.cases(6, of: Array(1...60)) as [UInt64])
    func aBatchDeletionDoesWhatADeletionByAContextDoes(_ backend: Backend, _ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<5 {
            let choice = random.next()
            var outcomes: [(contents: [String], code: StoreError.Code?)] = []
            for isBatch in [false, true] {
                var random = SeededGenerator(seed: choice)
                let store = try Workshop.store(backend)
                let context = store.context()
                let objects = try context.filled(with: &random)
                let entity = random.pick(["Bin", "Thing", "Shelf", "Crate", "Seal", "Badge", "Label", "Owner"])
                let chosen = objects.filter { $0.entity.name == entity && !random.oneIn(3) }
                var code: StoreError.Code?
                do throws(StoreError) {
                    if isBatch {
                        _ = try context.execute(BatchDeleteRequest(objectIDs: chosen.map(\.objectID)))
                    } else {
                        context.delete(allOf: chosen)
                        try context.save()
                    }
                } catch { code = error.code }
                let other = store.context()
                outcomes.append((try other.contents(), code))
                let faults = try StoreConsistency.faults(store.coordinator)
                #expect(faults == [], "\(isBatch)")
            }
            #expect(outcomes[0].contents == outcomes[1].contents, "seed \(seed), choice \(choice)")
            #expect((outcomes[0].code == nil) == (outcomes[1].code == nil), "seed \(seed), choice \(choice)")
        }
    }
}

extension ManagedObjectContext {
    /// Saves objects of a workshop that are related at random, and returns them.
    fileprivate func filled(with random: inout SeededGenerator) throws -> [ManagedObject] {
        var made: [String: [ManagedObject]] = [:]
        func some(_ name: String) -> [ManagedObject] { made[name, default: []].filter { _ in random.oneIn(3) } }
        func make(_ name: String, _ values: [String: Any] = [:]) throws {
            made[name, default: []].append(try self.make(name, values))
        }
        for _ in 0..<2 { for name in ["Bin", "Shelf", "Label", "Owner", "Badge"] { try make(name) } }
        for index in 0..<4 {
            try make(
                "Thing",
                [
                    "bin": random.pick(made["Bin"]!), "shelf": random.pick(made["Shelf"]!),
                    "labels": Set(some("Label")), "owners": Set(some("Owner")),
                ])
            if random.oneIn(2) { try made["Thing"]![index].setValue(random.pick(made["Badge"]!), forKey: "badge") }
            if random.oneIn(2) { try made["Thing"]![index].setValue(random.pick(made["Thing"]!), forKey: "peer") }
            try make("Crate", ["shelf": random.pick(made["Shelf"]!)])
            if random.oneIn(2) { try make("Seal", ["crate": made["Crate"]![index]]) }
        }
        try save()
        return made.sorted { $0.key < $1.key }.flatMap(\.value)
    }

    /// All objects and what they are related to, as text.
    fileprivate func contents() throws -> [String] {
        let entities = persistentStoreCoordinator.managedObjectModel.entities.filter { $0.superentity == nil }
        return try entities.flatMap { entity in
            try fetch(FetchRequest<ManagedObject>(entityName: entity.name)).map { object in
                let related = try entity.relationships.filter { $0.inverseName != nil }.map { relationship in
                    let ids = try object.objectIDs(forRelationshipNamed: relationship.name)
                    return "\(relationship.name): \(ids.map { "\($0.key)" }.sorted())"
                }
                return "\(object.entity.name) \(object.objectID.key) \(related)"
            }.sorted()
        }
    }
}
