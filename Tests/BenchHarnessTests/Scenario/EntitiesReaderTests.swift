import Foundation
import Testing

@testable import BenchHarness

@Suite struct EntitiesReaderTests {
    private let seed = #""kind": "seed", "from": "empty""#
    private let count = #""kind": "count", "from": "seeded""#
    private let delete = #""kind": "delete", "from": "seeded", "mode": "per_object""#

    @Test func aRelationshipIsOneMoreAttribute() throws {
        let scenario = try ScenarioFixture.read(EntitiesFixture.json(seed))
        #expect(scenario.entities.map(\.name) == ["Order", "Customer", "Line", "Product"])
        #expect(scenario.entities.map(\.records) == [30, 4, 90, 7] && scenario.recordsOfAll == 131)
        let line = scenario.entities[2]
        #expect(line.attributes.map(\.name) == ["quantity", "order", "product"])
        #expect(line.attributesOfItsOwn.map(\.name) == ["quantity"] && line.toOneAttributes == 1..<3)
        #expect(line.toOnes.map(\.entityName) == ["Order", "Product"] && line.toOnes.map(\.records) == [30, 7])
        #expect(line.toOnes.map(\.cascades) == [true, false])
        #expect(line.reached(by: "product.stock").map { [$0.toOne, $0.attribute] } == [1, 0])
        let copy = try JSONDecoder().decode(Scenario.self, from: JSONEncoder().encode(scenario))
        #expect(copy == scenario)
    }

    @Test func aPhaseIsAboutTheEntityThatItNames() throws {
        let line = #""entity": "Line", "filter": { "key": "order.status", "op": "==", "value": "open" }"#
        let scenario = try ScenarioFixture.read(EntitiesFixture.json(count, count + ", " + line))
        #expect(scenario.phases.map(\.entity) == [nil, "Line"])
        #expect(scenario.phases.map { scenario.schema(of: $0).entity.name } == ["Order", "Line"])
        let view = scenario.focused(on: "Line")
        #expect(view.entity.name == "Line" && view.records == 90)
        #expect(view.entities.map(\.name) == ["Order", "Customer", "Line", "Product"])
        #expect(view.entities.map(\.records) == [30, 4, 90, 7])
        #expect(view.focused(on: "Order").entity == scenario.entity)
    }

    /// What the phase says of the entity that was meant is no mistake.
    @Test func aWrongEntityIsTheOnlyMistake() {
        let phases = [
            #"\#(count), "entity": "Lin", "filter": { "key": "quantity", "op": "==", "value": 5 }"#,
            #""kind": "update", "mode": "batch", "from": "seeded", "entity": "Lin", "set": { "quantity": { "add": 1 } }"#,
            #""kind": "fetch", "mode": "sync", "from": "seeded", "entity": "Lin", "sort": [{ "key": "order.number" }]"#,
        ]
        for phase in phases {
            assertInvalidScenario(
                EntitiesFixture.json(phase, #""kind": "count", "from": "previous""#), at: "phases[0].entity",
                saying: "unknown entity \"Lin\"; expected one of Order, Customer, Line, Product. Did you mean \"Line\"?"
            )
        }
    }

    @Test func aKeyLeadsThroughOneRelationship() {
        let fetch = #""kind": "fetch", "mode": "sync", "from": "seeded""#
        let line = fetch + #", "entity": "Line", "sort": [{ "key": "order.customer.name" }]"#
        assertInvalidScenario(
            EntitiesFixture.json(line), at: "phases[0].sort[0].key",
            saying:
                "the key \"order.customer.name\", which leads through several relationships; expected an attribute, or one "
                + "relationship")
        let customer =
            fetch + #", "entity": "Customer", "filter": { "key": "orders.lines.quantity", "op": "==", "value": 1 }"#
        assertInvalidScenario(
            EntitiesFixture.json(customer), at: "phases[0].filter.key",
            saying: "which leads through several relationships")
        let many = fetch + #", "entity": "Customer", "sort": [{ "key": "orders.number" }]"#
        assertInvalidScenario(
            EntitiesFixture.json(many), at: "phases[0].sort[0].key",
            saying:
                "an order by \"orders.number\", which leads to many records; expected an attribute, or one through a "
                + "relationship to one record")
    }

    /// Values are drawn for each entity by itself, and a key through a relationship finds those of the other entity.
    @Test func entitiesHaveValuesOfTheirOwn() throws {
        let scenario = try ScenarioFixture.read(EntitiesFixture.json(seed))
        let (order, line) = (scenario.entities[0], scenario.entities[2])
        let orders = RecordGenerator(entity: order, seed: 5)
        let lines = RecordGenerator(entity: line, seed: 5)
        #expect((0..<30).map { lines.targets[0].value(1, $0) } == (0..<30).map { orders.value(1, $0) })
        #expect(lines.sibling(order).value(1, 3) == orders.value(1, 3))
        let places = (0..<90).map { [lines.int64(1, $0), lines.int64(2, $0)] }
        #expect(places.allSatisfy { (1...30).contains($0[0]) && (1...7).contains($0[1]) })
        #expect(Set(places).count > 60)
    }

    @Test func aRelationshipToManyDrawsSeveralRecords() throws {
        let scenario = try ScenarioFixture.read(EntitiesFixture.json(seed, entities: EntitiesFixture.tagged))
        let product = scenario.entities[3]
        #expect(product.attributes.map(\.name) == ["stock"] && product.toOnes.isEmpty)
        let link = LinkSpec(relationship: "tags", inverse: "products", entityName: "Tag", records: 5, min: 1, max: 3)
        #expect(product.links == [link])
        let generator = RecordGenerator(entity: product, seed: 5)
        let drawn = (0..<300).map { generator.links(0, $0) }
        #expect(drawn == (0..<300).map { generator.links(0, $0) })
        #expect(Set(drawn.map(\.count)) == [1, 2, 3] && Set(drawn.joined()) == [1, 2, 3, 4, 5])
        #expect(drawn.allSatisfy { $0 == Set($0).sorted() })
        #expect(scenario.scaled(by: 0.2).entities[3].links?.map(\.records) == [1])
        let one = RecordGenerator(entity: scenario.scaled(by: 0.2).entities[3], seed: 5)
        #expect((0..<9).allSatisfy { one.links(0, $0) == [1] })
    }

    @Test func aRelationshipToManyThatCannotBeIsAnsweredWithItsPlace() {
        let wrong: [(old: String, new: String, path: String, words: String)] = [
            (#""count": 1"#, #""cascade": true, "count": 1"#, "cascade", "in a relationship to many records"),
            (#""count": 1"#, #""ordered": true, "count": 1"#, "ordered", "an order of a relationship to many"),
            (#""count_max": 3"#, #""count_max": 0"#, "count_max", "expected 1 or more"),
            (#""count_max": 3"#, #""count_max": 6"#, "count_max", "to 6 of 5 records"),
            (#""count": 1, "#, "", "count_max", "count_max without count"),
        ]
        for (old, new, path, words) in wrong {
            let entities = EntitiesFixture.tagged.replacingOccurrences(of: old, with: new)
            assertInvalidScenario(
                EntitiesFixture.json(seed, entities: entities), at: "entities[2].relationships[0].\(path)",
                saying: words)
        }
        let upsert = #""kind": "upsert", "from": "seeded", "entity": "Product", "records": 3"#
        let tagged = EntitiesFixture.tagged.replacingOccurrences(
            of: #""name": "stock", "type": "int64","#, with: #""name": "stock", "type": "int64", "unique": true,"#)
        assertInvalidScenario(
            EntitiesFixture.json(upsert, entities: tagged), at: "phases[0]",
            saying: "new records with the relationship tags to many; expected the kind insert or seed")
    }

    @Test func recordsInOrderComeLastAndStay() throws {
        let entities = EntitiesFixture.entities.replacingOccurrences(
            of: #""inverse": "lines","#, with: #""inverse": "lines", "ordered": true,"#)
        let scenario = try ScenarioFixture.read(EntitiesFixture.json(seed, entities: entities))
        #expect(scenario.entities[2].toOnes.map(\.isOrdered) == [true, false])
        let move = #""kind": "update", "from": "seeded", "entity": "Line", "mode": "per_object", "set": { "order": 2 }"#
        assertInvalidScenario(
            EntitiesFixture.json(move, entities: entities), at: "phases[0].set", saying: "which keeps an order")
        let merge = #"""
            "kind": "merge", "from": "seeded", "entity": "Line", "writers": 1, "saves_per_writer": 1,
            "inserts_per_save": 1, "changes_per_save": 0, "deletes_per_save": 0
            """#
        assertInvalidScenario(
            EntitiesFixture.json(merge, entities: entities), at: "phases[0]",
            saying: "new records in the order of lines; expected the kind insert or seed")
    }

    @Test func aFilterLooksThroughARelationshipToMany() throws {
        let filter = #""filter": { "not": { "key": "lines.quantity", "op": "between", "value": [2, 3] } }"#
        let tags = #""entity": "Product", "filter": { "key": "tags.name", "op": "in", "value": ["Tag 1"] }"#
        let scenario = try ScenarioFixture.read(
            EntitiesFixture.json(count + ", " + filter, count + ", " + tags, entities: EntitiesFixture.tagged))
        let quantity = FilterSpec.between(key: "quantity", .int64(2), .int64(3))
        #expect(scenario.phases[0].filter == .not(.any(relationship: "lines", quantity)))
        let tag = FilterSpec.oneOf(key: "name", [.string("Tag 1")])
        #expect(scenario.phases[1].filter == .any(relationship: "tags", tag))
        let copy = try JSONDecoder().decode(Scenario.self, from: JSONEncoder().encode(scenario))
        #expect(copy == scenario)
        assertInvalidScenario(
            EntitiesFixture.json(count + #", "filter": { "key": "lines.quantiy", "op": "==", "value": 1 }"#),
            at: "phases[0].filter.key", saying: #"Did you mean "lines.quantity"?"#)
        assertInvalidScenario(
            EntitiesFixture.json(
                #""kind": "fetch", "from": "seeded", "mode": "sync", "sort": [{ "key": "lines.quantity" }]"#),
            at: "phases[0].sort[0].key", saying: "which leads to many records")
    }

    @Test func scalingKeepsTheSharesOfAllEntities() throws {
        let sized = try ScenarioFixture.read(EntitiesFixture.json(seed, records: "[10, 30]"))
        let small = sized.at(records: 10)
        #expect(small.entities.map(\.records) == [10, 1, 30, 2])
        #expect(small.entities[2].toOnes.map(\.records) == [10, 2])
        let scaled = sized.scaled(by: 2)
        #expect(scaled.entities.map(\.records) == [60, 8, 180, 14] && scaled.records == 60)
        #expect(scaled.entities[2].toOnes.map(\.records) == [60, 14])
    }

    @Test func whatCannotBeIsAnsweredWithItsPlace() {
        let entities: [(old: String, new: String, path: String, words: String)] = [
            (#""to": "Order""#, #""to": "Ordre""#, "entities[1].relationships[0].to", #"Did you mean "Order"?"#),
            (#""to": "Order""#, #""to": "Line""#, "entities[1].relationships[0].to", "to the entity itself"),
            (#""name": "product""#, #""name": "Quantity""#, "entities[1].relationships[1].name", "has that already"),
            (
                #""inverse": "sales""#, #""inverse": "stock""#, "entities[1].relationships[1].inverse",
                "Product has that"
            ),
            (#""name": "Product""#, #""name": "order""#, "entities[2].name", "a second entity"),
        ]
        for (old, new, path, words) in entities {
            let list = EntitiesFixture.entities.replacingOccurrences(of: old, with: new)
            let mistakes = path == "entities[2].name" ? 2 : 1
            assertInvalidScenario(
                EntitiesFixture.json(seed, entities: list), at: path, saying: words, mistakes: mistakes)
        }
        let circle = EntitiesFixture.entities.replacingOccurrences(
            of: #""prefix": "Customer " } } ]"#,
            with: #"""
                "prefix": "Customer " } } ], "relationships": [{ "name": "last", "to": "Order", "inverse": "of" }]
                """#)
        assertInvalidScenario(EntitiesFixture.json(seed, entities: circle), at: "entities", saying: "lead in a circle")
        // The entity is read once, so that a mistake in it is one error.
        assertInvalidScenario(
            replacing: #""entity": { "name": "Item","#, with: #""entity": { "name": "Item", "relation": [],"#,
            at: "entity", saying: #"unknown key "relation""#)
        let order = #"{ "name": "Order","#
        assertInvalidScenario(
            EntitiesFixture.json(seed).replacingOccurrences(of: order, with: order + #" "x": 1,"#), at: "entity",
            saying: #"unknown key "x""#)
        assertInvalidScenario(
            replacing: #""entity": { "name": "Item","#, with: #""entity": { "name": "Item", "relationships": [],"#,
            at: "entity.relationships", saying: #"expected the key "entities""#)
    }

    @Test func keysLeadThroughRelationshipsWithNamesInAnyScript() throws {
        let entities = EntitiesFixture.entities.replacingOccurrences(of: #""order""#, with: #""größe""#)
            .replacingOccurrences(of: #""lines""#, with: #""項目""#)
        let toMany = #""filter": { "key": "項目.quantity", "op": "==", "value": 1 }"#
        let toOne = #""entity": "Line", "filter": { "key": "größe.status", "op": "==", "value": "open" }"#
        let scenario = try ScenarioFixture.read(
            EntitiesFixture.json("\(count), \(toMany)", "\(count), \(toOne)", entities: entities))
        #expect(scenario.phases.count == 2)
        let reached = scenario.entities[2].reached(by: "größe.status")
        #expect(reached?.toOne == 0 && reached?.attribute == 1)
    }

    /// The deletion of a record deletes what belongs to it, to which others lead in turn.
    @Test func aDeletionLeavesNoRelationshipToWhatItDeletesWithIt() {
        let entities = EntitiesFixture.entities.replacingOccurrences(
            of: #""inverse": "lines", "cascade": true"#, with: #""inverse": "lines""#)
        assertInvalidScenario(
            EntitiesFixture.json(delete + #", "entity": "Customer""#, entities: entities), at: "phases[0]",
            saying: """
                a deletion of Customer, which deletes records of Order, to which the relationship order of Line leads; \
                expected "cascade": true in that relationship
                """)
        assertInvalidScenario(
            EntitiesFixture.json(delete, entities: entities), at: "phases[0]",
            saying: "a deletion of Order, to which the relationship order of Line leads")
    }

    @Test func aPhaseThatCannotBeIsAnsweredWithItsPlace() {
        let stock = #""kind": "update", "from": "previous", "mode": "batch", "set": { "product": 2 }"#
        let wrong: [(phases: [String], path: String, words: String)] = [
            ([count + #", "entity": "Lines""#], "phases[0].entity", #"Did you mean "Line"?"#),
            ([seed + #", "entity": "Line""#], "phases[0]", #"unknown key "entity""#),
            ([delete + #", "entity": "Product""#], "phases[0]", #"expected "cascade": true in that relationship"#),
            (
                [delete, #""kind": "insert", "from": "previous", "entity": "Line", "records": 3"#], "phases[1].from",
                "of which phase0 deleted some"
            ),
            (
                [
                    #""kind": "upsert", "from": "seeded", "records": 3"#,
                    #""kind": "count", "from": "previous", "entity": "Line""#,
                ], "phases[1].from", "a phase about Line after an upsert"
            ),
            (
                [
                    #"""
                    "kind": "merge", "from": "seeded", "writers": 1, "saves_per_writer": 1, "inserts_per_save": 1,
                    "changes_per_save": 0, "deletes_per_save": 1
                    """#
                ], "phases[0]", "expected deletes_per_save 0"
            ),
            (
                [#""kind": "fetch", "from": "seeded", "mode": "sync", "follow": { "relationship": "line" }"#],
                "phases[0].follow.relationship", #"Did you mean "lines"?"#
            ),
            ([seed, stock], "phases[1].set.product", "unknown attribute"),
        ]
        for (phases, path, words) in wrong {
            let list = phases.enumerated().map { #"{ "name": "phase\#($0)", \#($1) }"# }.joined(separator: ", ")
            let json = EntitiesFixture.json().replacingOccurrences(
                of: #""phases": []"#, with: #""phases": [\#(list)]"#)
            assertInvalidScenario(json, at: path, saying: words)
        }
    }
}
