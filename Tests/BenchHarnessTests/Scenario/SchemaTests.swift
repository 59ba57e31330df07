import Foundation
import Testing

@testable import BenchHarness

/// The entities of a scenario with both ends of their relationships.
@Suite struct SchemaTests {
    private func shop(_ entities: String = EntitiesFixture.tagged) throws -> Schema {
        let count = #""kind": "count", "from": "seeded""#
        return try ScenarioFixture.read(EntitiesFixture.json(count, entities: entities)).schema
    }

    /// The relationships of an entity as `name to Destination, many, ordered, cascades`.
    private func ends(_ schema: Schema, _ name: String) throws -> [String] {
        let place = try #require(schema.place(of: name))
        return schema.entities[place].relationships.map { end in
            "\(end.name) to \(schema.entities[end.destination].name)"
                + [(end.isToMany, ", many"), (end.isOrdered, ", ordered"), (end.deleteRule == .cascade, ", cascades")]
                .map { $0 ? $1 : "" }.joined()
        }
    }

    @Test func bothEndsOfARelationshipAreKnown() throws {
        let schema = try shop()
        #expect(schema.entities.map(\.name) == ["Order", "Customer", "Line", "Product", "Tag"])
        #expect(schema.entities.map(\.count) == [30, 4, 90, 7, 5])
        #expect(try ends(schema, "Order") == ["customer to Customer", "lines to Line, many, cascades"])
        #expect(try ends(schema, "Line") == ["order to Order", "product to Product"])
        #expect(try ends(schema, "Product") == ["sales to Line, many", "tags to Tag, many"])
        #expect(try ends(schema, "Tag") == ["products to Product, many"])
        for (place, entity) in schema.entities.enumerated() {
            for end in entity.relationships {
                let back = try #require(schema.relationship(end.inverse, of: end.destination))
                #expect(back.inverse == end.name && back.destination == place)
            }
        }
    }

    @Test func anEntityComesAfterThoseThatItLeadsTo() throws {
        let schema = try shop()
        #expect(
            schema.inSeedingOrder.map { schema.entities[$0].name }
                == ["Customer", "Tag", "Order", "Product", "Line"])
        #expect(["Customer", "Line", "Tag"].map { schema.place(of: $0).map { schema.number(of: $0) } } == [1, 2, 5])
    }

    @Test func aDeletionTakesWhatBelongsToItsRecords() throws {
        let schema = try shop()
        let names = { (places: Set<Int>) in Set(places.map { schema.entities[$0].name }) }
        #expect(names(schema.deleted(with: 1)) == ["Customer", "Order", "Line"])
        #expect(names(schema.deleted(with: 3)) == ["Product"])
        #expect(
            (0..<5).map { schema.affectsOthers(byRecordsOf: $0, deletes: true) } == [true, true, false, true, true])
        #expect(
            (0..<5).map { schema.affectsOthers(byRecordsOf: $0, deletes: false) } == [false, false, false, true, true])
        let lost = schema.losing(3).flatMap(\.attributes).filter { $0.mayLoseValues == true }.map(\.name)
        #expect(lost == ["product"] && schema.losing(1).flatMap(\.attributes).allSatisfy { $0.mayLoseValues == nil })
    }

    @Test func anEntityThatInheritsHasAttributesOfItsOwn() {
        let title = AttributeSpec(name: "title", type: .string, generator: .constant(.string("")))
        let artist = AttributeSpec(name: "artist", type: .string, generator: .constant(.string("")))
        let schema = Schema(
            EntitySpec(
                name: "Medium", attributes: [title],
                subentities: [(SubentitySpec(name: "Song", share: 0.5), [artist])]))
        #expect(schema.entities.map(\.name) == ["Medium", "Song"] && schema.entities.map(\.superentity) == [nil, 0])
        #expect(schema.entities.map { $0.attributes.map(\.name) } == [["title"], ["artist"]])
        #expect(schema.roots == 0..<1 && schema.others == [] && schema.features == [.inheritance])
    }

    @Test func aSchemaIsTheSameInAnotherProcess() throws {
        let schema = try shop().focused(on: 2)
        #expect(try JSONDecoder().decode(Schema.self, from: JSONEncoder().encode(schema)) == schema)
        #expect(schema.entity.name == "Line" && schema.others == [0, 1, 3, 4] && schema.features == [.severalEntities])
    }
}
