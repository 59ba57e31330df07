import Foundation
import Testing

@testable import ManagedStore

/// Archives in transformable attributes are neither misread nor replaced by JSON.
@Suite struct ArchivedValueTests {
    struct Shade: Codable, Hashable, Sendable {
        var red: Int
    }

    private static let archive = "62706C6973743030D4010203"
    private static let key = Attribute<Transformable<Shade>?>("shade")

    private let file: CoreDataSketch
    private let context: ManagedObjectContext

    init() throws {
        file = try CoreDataSketch(
            """
            CREATE TABLE ZWALL ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR, ZSHADE BLOB );
            INSERT INTO ZWALL VALUES (1, 1, 1, 'north', x'\(Self.archive)'), (2, 1, 1, 'south', NULL), (3, 1, 1, 'east', '{"red":1}')
            """, entities: [("Wall", 1, 0, 3)])
        let keys: [any AttributeKey] = [Attribute<String>("name"), Self.key]
        context = try file.context(EntityDescription(name: "Wall", attributes: keys))
    }

    private func shades() throws -> [String] {
        try file.database().lines("SELECT hex(ZSHADE) FROM ZWALL ORDER BY Z_PK")
    }

    @Test func readingOneIsAnErrorThatSaysWhatItIs() throws {
        let wall = try context.only("Wall", "name", "north")
        let error = expectError(.wrongType) { try wall.value(forKey: "shade") }
        #expect(error?.message.contains("binary property list") == true)
        #expect(wall[Self.key]?.value == nil)
    }

    @Test func itStaysWhenSomethingElseIsSaved() throws {
        try context.only("Wall", "name", "north").setValue("n", forKey: "name")
        try context.save()
        #expect(try shades().first == Self.archive)
    }

    @Test func jsonDoesNotReplaceIt() throws {
        let wall = try context.only("Wall", "name", "north")
        try wall.setValue(Shade(red: 2), forKey: "shade")
        let error = expectError(.wrongType) { try context.save() }
        #expect(error?.message.contains("Wall.shade holds") == true)
        #expect(try shades().first == Self.archive)
        try wall.setValue(nil, forKey: "shade")
        try context.save()
        try wall.setValue(Shade(red: 2), forKey: "shade")
        try context.save()
        #expect(try file.database().value("SELECT ZSHADE FROM ZWALL WHERE Z_PK = 1") == #"{"red":2}"#)
    }

    @Test func ourOwnValuesAreReplaced() throws {
        for name in ["south", "east"] {
            try context.only("Wall", "name", name).setValue(Shade(red: 3), forKey: "shade")
        }
        try context.save()
        let again = try context.only("Wall", "name", "east")
        #expect(try again[Self.key]?.decoded() == Shade(red: 3))
    }

    @Test func aBatchUpdateDoesNotReplaceIt() throws {
        let value = try BatchExpression.value(Transformable(Shade(red: 4)))
        let request = BatchUpdateRequest(entityName: "Wall", set: ["shade": value])
        expectError(.invalidRequest) { try context.execute(request) }
        #expect(try shades().first == Self.archive)
        _ = try context.execute(BatchUpdateRequest(entityName: "Wall", set: ["shade": nil]))
        _ = try context.execute(request)
        #expect(Set(try shades()).count == 1)
    }
}
