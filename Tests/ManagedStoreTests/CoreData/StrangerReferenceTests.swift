import Foundation
import Testing

@testable import ManagedStore

/// What the model does not have keeps pointing somewhere: a deletion that would leave it pointing nowhere is refused.
@Suite struct StrangerReferenceTests {
    private static func sketch() throws -> CoreDataSketch {
        try CoreDataSketch(
            """
            CREATE TABLE ZAUTHOR ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR );
            CREATE TABLE ZBOOK ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZYEAR INTEGER, ZAUTHOR INTEGER, ZTITLE VARCHAR );
            CREATE TABLE ZPAGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZBOOK INTEGER, Z2_BOOK INTEGER );
            CREATE TABLE Z_1SHELVES ( Z_1AUTHORS INTEGER, Z_5SHELVES INTEGER, PRIMARY KEY (Z_1AUTHORS, Z_5SHELVES) );
            CREATE INDEX ZBOOK_ZAUTHOR_INDEX ON ZBOOK (ZAUTHOR);
            CREATE INDEX ZPAGE_ZBOOK_INDEX ON ZPAGE (ZBOOK, Z2_BOOK);
            INSERT INTO ZAUTHOR VALUES (1, 1, 1, 'Ada'), (2, 1, 1, 'Bob'), (3, 1, 1, 'Eve'), (4, 1, 1, 'Joe');
            INSERT INTO ZBOOK VALUES (1, 2, 1, 4, 1, 'Tides'), (2, 3, 1, 4, 2, 'Comic'), (3, 2, 1, 4, NULL, 'Winds');
            INSERT INTO ZPAGE VALUES (1, 4, 1, 2, 3), (2, 4, 1, 3, 2);
            INSERT INTO Z_1SHELVES VALUES (3, 7)
            """,
            entities: [
                ("Author", 1, 0, 4), ("Book", 2, 0, 3), ("Novel", 3, 2, 0), ("Page", 4, 0, 2), ("Shelf", 5, 0, 9),
            ])
    }

    private static let lonelyAuthor = EntityDescription(
        name: "Author", attributes: [AttributeDescription("name", .string)])
    private static let author = EntityDescription(
        name: "Author", attributes: [AttributeDescription("name", .string)],
        relationships: [RelationshipDescription("books", to: "Book", inverse: "author", isToMany: true)])
    private static let book = EntityDescription(
        name: "Book", attributes: [AttributeDescription("title", .string)],
        relationships: [RelationshipDescription("author", to: "Author", inverse: "books")])

    private func delete(_ entity: String, _ key: String, _ value: String, _ context: ManagedObjectContext) throws {
        context.delete(try context.only(entity, key, value))
        try context.save()
    }

    private func refusal(_ entity: String, _ key: String, _ value: String, _ context: ManagedObjectContext) throws
        -> String
    {
        let object = try context.only(entity, key, value)
        context.delete(object)
        let error = expectError(.validationRelationshipDeniedDelete) { try context.save() }
        #expect(error?.objectID == object.objectID)
        context.rollback()
        return error?.message ?? ""
    }

    @Test func aRelationshipThatTheModelLacks() throws {
        let context = try Self.sketch().context(Self.lonelyAuthor)
        #expect(try refusal("Author", "name", "Ada", context).contains("table ZBOOK refer to it by ZAUTHOR"))
        try delete("Author", "name", "Joe", context)
    }

    @Test func aSubentityThatTheModelLacks() throws {
        let context = try Self.sketch().context(Self.author, Self.book)
        try delete("Author", "name", "Ada", context)
        #expect(try refusal("Author", "name", "Bob", context).contains("table ZBOOK refer to it by ZAUTHOR"))
    }

    @Test func aManyToManyRelationshipThatTheModelLacks() throws {
        let context = try Self.sketch().context(Self.author, Self.book)
        #expect(try refusal("Author", "name", "Eve", context).contains("table Z_1SHELVES refer to it by Z_1AUTHORS"))
    }

    /// `Z2_BOOK` says of which entity the book is.
    @Test func aColumnBesideTellsWhichEntityIsMeant() throws {
        let context = try Self.sketch().context(Self.author, Self.book)
        #expect(try refusal("Book", "title", "Winds", context).contains("table ZPAGE refer to it by ZBOOK"))
        try delete("Book", "title", "Tides", context)
    }

    @Test func whatIsDeletedInTheSameSaveReferredToNothing() throws {
        let file = try Self.sketch()
        let book = EntityDescription(name: "Book", attributes: [AttributeDescription("title", .string)])
        let context = try file.context(Self.lonelyAuthor, book)
        context.delete(try context.only("Author", "name", "Ada"))
        context.delete(try context.only("Book", "title", "Tides"))
        try context.save()
        #expect(try file.database().value("SELECT COUNT(*) FROM ZAUTHOR") == "3")
    }

    /// Not all of its values are keys of authors.
    @Test func aColumnThatLeadsElsewhereIsNoObstacle() throws {
        let file = try Self.sketch()
        try file.database().execute(
            "ALTER TABLE ZBOOK ADD COLUMN ZSHELF INTEGER; CREATE INDEX ZBOOK_ZSHELF_INDEX ON ZBOOK (ZSHELF); "
                + "UPDATE ZBOOK SET ZSHELF = 4; UPDATE ZBOOK SET ZSHELF = 9 WHERE Z_PK = 2")
        try delete("Author", "name", "Joe", try file.context(Self.author, Self.book))
    }
}
