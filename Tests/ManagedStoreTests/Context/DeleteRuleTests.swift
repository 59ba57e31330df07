import Foundation
import TestSupport
import Testing

@testable import ManagedStore

@Suite struct DeleteRuleTests {
    /// An owner and its parts, by a rule.
    private func store(
        _ backend: Backend, _ rule: RelationshipDescription.DeleteRule, isOptional: Bool = true, minCount: Int = 0,
        maxCount: Int = 0
    ) throws -> TestStore {
        let owner = EntityDescription(
            name: "Owner", attributes: [AttributeDescription("name", .string, isOptional: true)],
            relationships: [
                RelationshipDescription(
                    "parts", to: "Part", inverse: "owner", isToMany: true, minCount: minCount, maxCount: maxCount,
                    deleteRule: rule)
            ])
        let part = EntityDescription(
            name: "Part", attributes: [AttributeDescription("name", .string, isOptional: true)],
            relationships: [RelationshipDescription("owner", to: "Owner", inverse: "parts", isOptional: isOptional)])
        return try TestStore(backend, model: try ManagedObjectModel(entities: [owner, part]))
    }

    private func make(
        _ parts: Int, in context: ManagedObjectContext
    ) throws -> (owner: ManagedObject, parts: [ManagedObject]) {
        let owner = try EntityDescription.insertNewObject(forEntityName: "Owner", into: context)
        let parts = try (0..<parts).map { _ in
            try EntityDescription.insertNewObject(forEntityName: "Part", into: context)
        }
        try owner.setValue(parts, forKey: "parts")
        return (owner, parts)
    }

    @Test(arguments: Backend.strictCases) func anObjectItselfSaysThatItsDeletionIsDenied(_ backend: Backend) throws {
        let context = try store(backend, .deny).context()
        let (owner, parts) = try make(2, in: context)
        try context.save()
        context.delete(owner)
        expectError(.validationRelationshipDeniedDelete) { try owner.validateForDelete() }
        let error = expectError(.validationRelationshipDeniedDelete) { try context.save() }
        #expect(error?.detailedErrors.isEmpty == true)
        for part in parts { context.delete(part) }
        try owner.validateForDelete()
        try context.save()
    }

    private func counts(_ context: ManagedObjectContext) throws -> [Int] {
        [
            try context.count(for: FetchRequest(entityName: "Owner")),
            try context.count(for: FetchRequest(entityName: "Part")),
            try context.count(for: FetchRequest(entityName: "Part", predicate: !.isNil("owner"))),
        ]
    }

    /// Deletes an owner of three parts in a context that has read nothing yet.
    private func deleteOwner(_ backend: Backend, _ rule: RelationshipDescription.DeleteRule) throws -> [Int] {
        let store = try store(backend, rule)
        let context = store.context()
        _ = try make(3, in: context)
        try context.save()
        let fresh = store.context()
        fresh.delete(try #require(try fresh.fetch(FetchRequest(entityName: "Owner")).first))
        try fresh.save()
        return try counts(store.context())
    }

    @Test(arguments: Backend.strictCases) func nullifyMakesTheOthersForget(_ backend: Backend) throws {
        #expect(try deleteOwner(backend, .nullify) == [0, 3, 0])
    }

    @Test(arguments: Backend.strictCases) func cascadeDeletesTheOthers(_ backend: Backend) throws {
        #expect(try deleteOwner(backend, .cascade) == [0, 0, 0])
    }

    @Test(arguments: Backend.strictCases) func noActionLeavesTheOthersAsTheyAre(_ backend: Backend) throws {
        #expect(try deleteOwner(backend, .noAction) == [0, 3, 3])
    }

    @Test(arguments: Backend.strictCases) func denyForbidsDeletionUntilTheOthersAreGone(_ backend: Backend) throws {
        let store = try store(backend, .deny)
        let context = store.context()
        let (owner, parts) = try make(2, in: context)
        try context.save()
        context.delete(owner)
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.code == .validationRelationshipDeniedDelete && error?.key == "parts")
        #expect(try counts(store.context()) == [1, 2, 2])
        for part in parts { context.delete(part) }
        try context.save()
        #expect(try counts(store.context()) == [0, 0, 0])
    }

    @Test(arguments: Backend.strictCases) func aDeletedObjectLeavesTheSetsThatItWasIn(_ backend: Backend) throws {
        let store = try store(backend, .nullify)
        let context = store.context()
        let (owner, parts) = try make(2, in: context)
        try context.save()
        context.delete(parts[0])
        #expect(try owner.value(forKey: "parts") as? Set<ManagedObject> == [parts[1]])
        context.rollback()
        #expect(try owner.value(forKey: "parts") as? Set<ManagedObject> == Set(parts))
        context.delete(parts[0])
        try context.save()
        #expect(try owner.value(forKey: "parts") as? Set<ManagedObject> == [parts[1]])
    }

    @Test(arguments: Backend.strictCases) func newObjectsFollowDeleteRulesToo(_ backend: Backend) throws {
        let store = try store(backend, .cascade)
        let context = store.context()
        let (owner, _) = try make(2, in: context)
        context.delete(owner)
        #expect(!context.hasChanges)
        try context.save()
        #expect(try counts(context) == [0, 0, 0])
    }

    @Test(arguments: Backend.strictCases) func cascadesOfAnyDepthEnd(_ backend: Backend) throws {
        let node = EntityDescription(
            name: "Node", attributes: [AttributeDescription("name", .string, isOptional: true)],
            relationships: [
                RelationshipDescription("next", to: "Node", inverse: "previous", deleteRule: .cascade),
                RelationshipDescription("previous", to: "Node", inverse: "next", deleteRule: .cascade),
            ])
        let store = try TestStore(backend, model: try ManagedObjectModel(entities: [node]))
        let context = store.context()
        let nodes = try (0..<20_000).map { _ in
            try EntityDescription.insertNewObject(forEntityName: "Node", into: context)
        }
        for (node, next) in zip(nodes, nodes.dropFirst() + [nodes[0]]) { try node.setValue(next, forKey: "next") }
        try context.save()
        context.delete(nodes[7])
        #expect(context.deletedObjects.count == nodes.count)
        try context.save()
        #expect(try store.context().count(for: FetchRequest(entityName: "Node")) == 0)
    }

    /// Books with an author, tags, chapters in an order and a cover each, of which a context has read nothing yet.
    private func books(_ backend: Backend, _ count: Int) throws -> (store: TestStore, context: ManagedObjectContext) {
        let store = try Library.store(backend)
        let context = store.context()
        for number in 0..<count {
            let book = Book("\(number)", in: context)
            book.author = Author("\(number)", in: context)
            book.tags = [Tag("\(number)", in: context), Tag("other", in: context)]
            book.chapters = (0..<2).map { Chapter("\(number).\($0)", in: context) }
            book.cover = Cover("\(number)", in: context)
        }
        try context.save()
        return (store, store.context())
    }

    /// Returns what a deletion left unsaved, and what was in the store after a save.
    private func outcome(_ store: TestStore, _ context: ManagedObjectContext) throws -> [[String]] {
        func shown(_ objects: Set<ManagedObject>) -> [String] {
            objects.map { "\($0.entity.name) \($0.objectID.key)" }.sorted()
        }
        let unsaved = [shown(context.deletedObjects), shown(context.updatedObjects)]
        try context.save()
        context._checkInvariants()
        let left = try ["Author", "Book", "Tag", "Chapter", "Cover"].map { name in
            "\(try store.context().count(for: FetchRequest(entityName: name)))"
        }
        let reader = store.context()
        let tags = try reader.fetch(FetchRequest(Tag.self)).map { "\($0.books.map(\.title))" }
        return unsaved + [left, tags]
    }

    @Test(arguments: Backend.strictCases) func deletingManyAtOnceIsDeletingOneAfterTheOther(_ backend: Backend) throws {
        let outcomes = try [false, true].map { isAtOnce in
            let (store, context) = try books(backend, 12)
            let books = try context.fetch(FetchRequest(Book.self, sortBy: [SortDescriptor(\.title)]))
            // Some is known, changed or deleted before.
            books[0].chapters.reverse()
            books[1].tags = []
            books[2].author = books[3].author
            context.delete(books[4])
            let known = try #require(try context.only(Chapter.self, "title", books[5].title + ".0"))
            context.delete(known)
            let deleted = [books[1]] + books[..<9] + [Book("new", in: context)]
            if isAtOnce { context.delete(allOf: deleted) } else { for book in deleted { context.delete(book) } }
            return try outcome(store, context)
        }
        #expect(outcomes[0] == outcomes[1] && outcomes[0][2] == ["12", "3", "24", "6", "3"])
    }

    @Test(arguments: Backend.databases) func whatDeletionsReadTakesNoMoreStatementsForMoreObjects(
        _ backend: Backend
    ) throws {
        let statements = try [10, 100].map { count in
            let (store, context) = try books(backend, count)
            let books = try context.fetch(FetchRequest(Book.self))
            store.coordinator.resetStatistics()
            context.delete(allOf: books)
            #expect(context.deletedObjects.count == 4 * count && context.updatedObjects.count == 3 * count)
            return store.statementCount
        }
        #expect(statements[0] == statements[1] && statements[0] < 30, "\(statements)")
    }

    /// An object's dependents are read together, too.
    @Test(arguments: Backend.databases) func theLevelsOfOneCascadeAreReadAtOnce(_ backend: Backend) throws {
        let statements = try [10, 100].map { count in
            let store = try store(backend, .cascade)
            let context = store.context()
            _ = try make(count, in: context)
            try context.save()
            let fresh = store.context()
            let owner = try #require(try fresh.fetch(FetchRequest(entityName: "Owner")).first)
            store.coordinator.resetStatistics()
            fresh.delete(owner)
            #expect(fresh.deletedObjects.count == count + 1)
            return store.statementCount
        }
        #expect(statements[0] == statements[1] && statements[0] < 6, "\(statements)")
    }

    @Test(arguments: Backend.strictCases) func deletingTakesPairsOutOfTheJoinTable(_ backend: Backend) throws {
        let store = try Library.store(backend)
        let context = store.context()
        let (book, tag) = (Book("1", in: context), Tag("t", in: context))
        book.tags = [tag, Tag("u", in: context)]
        try context.save()
        context.delete(book)
        #expect(tag.books.isEmpty)
        try context.save()
        let fresh = store.context()
        #expect(try fresh.only(Tag.self, "name", "t")?.books.isEmpty == true)
        if backend == .sqlite {
            let join = try #require(
                try store.database().value("SELECT name FROM sqlite_master WHERE name LIKE 'Z\\_%BOOKS' ESCAPE '\\'"))
            #expect(try store.database().value("SELECT COUNT(*) FROM \(join)") == "0")
        }
    }

    @Test(arguments: Backend.strictCases) func aRequiredToOneMustLeadSomewhere(_ backend: Backend) throws {
        let store = try store(backend, .nullify, isOptional: false)
        let context = store.context()
        let (owner, parts) = try make(1, in: context)
        try context.save()
        context.delete(owner)
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.code == .validationMissingMandatoryProperty && error?.key == "owner")
        #expect(error?.objectID == parts[0].objectID)
    }

    @Test(arguments: Backend.strictCases) func countsAreChecked(_ backend: Backend) throws {
        let store = try store(backend, .nullify, minCount: 2, maxCount: 3)
        let context = store.context()
        let (owner, parts) = try make(1, in: context)
        let few = #expect(throws: StoreError.self) { try context.save() }
        #expect(few?.code == .validationRelationshipLacksMinimumCount && few?.key == "parts")
        let more = try (0..<3).map { _ in try EntityDescription.insertNewObject(forEntityName: "Part", into: context) }
        try owner.setValue(Set(parts + more), forKey: "parts")
        let many = #expect(throws: StoreError.self) { try context.save() }
        #expect(many?.code == .validationRelationshipExceedsMaximumCount)
        try more[0].setValue(nil, forKey: "owner")
        try context.save()
        try owner.setValue([ManagedObject](), forKey: "parts")
        try context.save()
    }
}
