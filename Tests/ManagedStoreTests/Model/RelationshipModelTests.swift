import Foundation
import TestSupport
import Testing

@testable import ManagedStore

@Suite struct RelationshipModelTests {
    private func entity(_ name: String, _ relationships: RelationshipDescription...) -> EntityDescription {
        EntityDescription(
            name: name, attributes: [AttributeDescription("name", .string, isOptional: true)],
            relationships: relationships)
    }

    private func message(_ entities: EntityDescription...) -> String {
        do throws(StoreError) {
            _ = try ManagedObjectModel(entities: entities)
            return "no error"
        } catch {
            return error.code == .invalidModel ? error.message : "\(error)"
        }
    }

    @Test func aModelSaysWhatIsWrongWithItsRelationships() {
        #expect(message(entity("A", .init("b", to: "B"))) == "A.b leads to B, which is not in the model")
        #expect(message(entity("A", .init("as", to: "A", isToMany: true))).contains("needs an inverse"))
        #expect(
            message(entity("A", .init("b", to: "B", inverse: "a")), entity("B"))
                == "A.b: B has no relationship \"a\" that could be its inverse")
        #expect(
            message(
                entity("A", .init("b", to: "B", inverse: "a")), entity("B", .init("a", to: "A", inverse: "c")))
                == "A.b has the inverse B.a, whose inverse is A.c; each must name the other")
        #expect(message(entity("A", .init("b", to: "A", isOrdered: true))).contains("can be ordered"))
        #expect(
            message(entity("A", .init("as", to: "A", inverse: "as", isToMany: true, minCount: 3, maxCount: 2)))
                .contains("minCount 3"))
        #expect(message(entity("A", .init("name", to: "A"))).contains("two properties called NAME"))
    }

    @Test func aRelationshipsTypeFollowsFromTheProperty() {
        #expect(!Book.author.description.isToMany)
        #expect(Book.tags.description.isToMany && !Book.tags.description.isOrdered)
        #expect(Book.chapters.description.isToMany && Book.chapters.description.isOrdered)
        #expect(Book.chapters.description.destinationEntityName == "Chapter")
        #expect(Book.chapters.description.deleteRule == .cascade)
    }

    /// Core Data's names and columns, as its files have them.
    @Test func relationshipsAreLaidOutAsCoreDataDoes() throws {
        let store = try Library.store(.sqlite)
        let context = store.context()
        let book = Atlas("b", in: context)
        book.author = Author("a", in: context)
        book.chapters = [Chapter("1", in: context), Chapter("2", in: context)]
        book.tags = [Tag("t", in: context)]
        book.author?.friends = [Author("f", in: context)]
        try context.save()
        let database = try store.database()
        let columns = { (table: String) in
            try database.lines("SELECT name FROM pragma_table_info('\(table)') ORDER BY name")
        }
        #expect(
            try database.lines("SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY") == [
                "1|Author|0", "2|Book|0", "3|Atlas|2", "4|Chapter|0", "5|Cover|0", "6|Tag|0",
            ])
        #expect(
            try columns("ZBOOK") == ["ZAUTHOR", "ZCOVER", "ZSCALE", "ZTITLE", "Z_ENT", "Z_OPT", "Z_PK"])
        #expect(try columns("ZCHAPTER") == ["Z2_BOOK", "ZBOOK", "ZTITLE", "Z_ENT", "Z_FOK_BOOK", "Z_OPT", "Z_PK"])
        #expect(try columns("Z_6BOOKS") == ["Z_2BOOKS", "Z_6TAGS", "Z_FOK_2BOOKS"])
        #expect(try columns("Z_1FRIENDS") == ["REFLEXIVE", "Z_1FRIENDS"])
        #expect(
            try database.lines("SELECT ZBOOK, Z2_BOOK, Z_FOK_BOOK FROM ZCHAPTER ORDER BY ZTITLE") == ["1|3|1", "1|3|2"])
        #expect(try database.lines("SELECT Z_6TAGS, Z_2BOOKS, Z_FOK_2BOOKS FROM Z_6BOOKS") == ["1|1|1"])
        #expect(try database.value("SELECT COUNT(*) FROM Z_1FRIENDS") == "2")
        #expect(
            try database.lines(
                "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = 'ZBOOK' ORDER BY name")
                == ["ZBOOK_ZAUTHOR_INDEX", "ZBOOK_ZCOVER_INDEX", "ZBOOK_Z_ENT_INDEX"])
    }

    @Test func aStoreIsRefusedWhoseRelationshipsDiffer() throws {
        let store = try TestStore(.sqlite, model: try ManagedObjectModel(entities: [entity("A")]))
        let model = try ManagedObjectModel(entities: [
            entity("A", .init("as", to: "A", inverse: "as", isToMany: true))
        ])
        let error = #expect(throws: StoreError.self) {
            try PersistentStoreCoordinator(managedObjectModel: model).addPersistentStore(
                .sqlite, at: store.url, options: SQLiteStoreOptions(migratesAutomatically: false))
        }
        #expect(error?.code == .incompatibleStore)
    }
}
