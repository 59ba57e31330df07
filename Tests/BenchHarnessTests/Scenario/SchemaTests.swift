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
                + [(end.isToMany, ", many"), (end.isOrdered, ", ordered"), (end.cascades, ", cascades")]
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
            schema.inSeedingOrder.map { $0.map { schema.entities[$0].name } }
                == ["Customer", "Tag", "Order", "Product", "Line"])
        #expect(["Customer", "Line", "Tag"].map { schema.place(of: $0).map(schema.number) } == [1, 2, 5])
    }

    @Test func aDeletionTakesWhatBelongsToItsRecords() throws {
        let schema = try shop()
        let names = { (places: Set<Int>) in Set(places.map { schema.entities[$0].name }) }
        #expect(names(schema.deleted(with: 1)) == ["Customer", "Order", "Line"])
        #expect(names(schema.deleted(with: 3)) == ["Product"])
        #expect((0..<5).map(schema.affectsOthers) == [true, true, false, true, true])
        let left = try #require(schema.reference(leftBy: 3))
        #expect(left.relationship == "product" && left.source == 2 && left.target == 3)
        #expect(schema.reference(leftBy: 1) == nil)
    }

    @Test func ownersAreAnEntity() throws {
        let schema = Schema(OwnerFixture.entity)
        #expect(schema.entities.map(\.name) == ["Item", "List"] && schema.others == [1])
        #expect(try ends(schema, "Item") == ["list to List"] && ends(schema, "List") == ["items to Item, many"])
        #expect(schema.entities[1].count == OwnerFixture.entity.owner?.records && schema.features == [])
        let lists = FetchWork(mode: .sync, follow: FollowSpec(relationship: "items", prefetch: true))
        #expect(schema.found(by: lists).focus == 1 && schema.found(by: FetchWork(mode: .sync)).focus == 0)
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
        #expect(schema.roots == [0] && schema.others == [] && schema.features == [.inheritance])
    }

    @Test func aSchemaIsTheSameInAnotherProcess() throws {
        let schema = try shop().focused(on: 2)
        #expect(try JSONDecoder().decode(Schema.self, from: JSONEncoder().encode(schema)) == schema)
        #expect(schema.entity.name == "Line" && schema.others == [0, 1, 3, 4] && schema.features == [.severalEntities])
    }
}
