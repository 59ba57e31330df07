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
        #expect(line.toOnes.map(\.deleteRule) == [.cascade, nil])
        #expect(line.reached(by: "product.stock").map { "\($0.toOne) \($0.rest)" } == "1 stock")
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

    @Test func aKeyLeadsThroughSeveralRelationships() throws {
        let fetch = #""kind": "fetch", "mode": "sync", "from": "seeded""#
        let line = fetch + #", "entity": "Line", "sort": [{ "key": "order.customer.name" }]"#
        let customer =
            fetch
            + #", "entity": "Customer", "filter": { "key": "orders.lines.product.stock", "op": "==", "value": 1 }"#
        let siblings =
            fetch + #", "entity": "Line", "filter": { "key": "order.lines.quantity", "op": "==", "value": 1 }"#
        let phases = try ScenarioFixture.read(EntitiesFixture.json(line, customer, siblings)).phases
        let stock = FilterSpec.compare(key: "product.stock", .equal, .int64(1))
        #expect(phases[1].filter == .any(relationship: "orders", .any(relationship: "lines", stock)))
        let quantity = FilterSpec.compare(key: "quantity", .equal, .int64(1))
        #expect(phases[2].filter == .any(relationship: "order", .any(relationship: "lines", quantity)))
        assertInvalidScenario(
            EntitiesFixture.json(fetch + #", "entity": "Line", "sort": [{ "key": "order.customer.nam" }]"#),
            at: "phases[0].sort[0].key", saying: #"Did you mean "order.customer.name"?"#)
        let many = fetch + #", "entity": "Customer", "sort": [{ "key": "orders.number" }]"#
        assertInvalidScenario(
            EntitiesFixture.json(many), at: "phases[0].sort[0].key",
            saying:
                "an order by \"orders.number\", which leads to many records; expected an attribute, or one through "
                + "relationships to one record")
    }

    /// Values are drawn for each entity by itself, and a key through a relationship finds those of the other entity.
    @Test func entitiesHaveValuesOfTheirOwn() throws {
        let scenario = try ScenarioFixture.read(EntitiesFixture.json(seed))
        let (order, line) = (scenario.entities[0], scenario.entities[2])
        let orders = RecordGenerator(entity: order, seed: 5)
        let lines = RecordGenerator(entity: line, seed: 5)
        let status = scenario.schema.targets(of: 2, seed: 5)[0].values(of: "status")
        #expect((0..<30).map(status) == (0..<30).map { orders.value(1, $0) })
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
            (
                #""count": 1"#, #""delete_rule": "cascade", "count": 1"#, "delete_rule",
                "in a relationship to many records"
            ),
            (#""count_max": 3"#, #""count_max": 0"#, "count_max", "expected 1 or more"),
            (#""count_max": 3"#, #""count_max": 6"#, "count_max", "to 6 of 5 records"),
            (#""count": 1, "#, "", "count_max", "count_max without count"),
        ]
        for (old, new, path, words) in wrong {
            let entities = EntitiesFixture.tagged.replacingOccurrences(of: old, with: new)
            assertInvalidScenario(
                EntitiesFixture.json(seed, entities: entities), at: "entities[3].relationships[0].\(path)",
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

    @Test func anUpdateLinksAndUnlinksFromEitherEnd() throws {
        let update = #""kind": "update", "from": "seeded", "mode": "per_object", "entity""#
        let scenario = try ScenarioFixture.read(
            EntitiesFixture.json(
                update + #": "Product", "set": { "tags": { "link": 4 }, "stock": 1 }"#,
                update + #": "Tag", "set": { "products": { "unlink": 7, "link": 2 } }"#,
                entities: EntitiesFixture.tagged))
        let works = scenario.phases.compactMap { $0.work.as(UpdateWork.self) }
        #expect(works.map { $0.set.map(\.attribute) } == [["stock"], []])
        #expect(works[0].links == [LinkChange(relationship: "tags", number: 4, links: true)])
        #expect(
            works[1].links == [
                LinkChange(relationship: "products", number: 2, links: true),
                LinkChange(relationship: "products", number: 7, links: false),
            ])
        #expect(scenario.phases.allSatisfy { $0.capabilities == ["UpdatingSession", "LinkingSession"] })
        let copy = try JSONDecoder().decode(Scenario.self, from: JSONEncoder().encode(scenario))
        #expect(copy == scenario)
        let scaled = scenario.scaled(by: 0.5).phases.compactMap { $0.work.as(UpdateWork.self)?.links?.map(\.number) }
        #expect(scaled == [[3], [2, 4]])
    }

    /// Such a record leads to those that it would lead to without the order, in one that is drawn.
    @Test func aManyToManyRelationshipMayKeepAnOrder() throws {
        let entities = EntitiesFixture.tagged.replacingOccurrences(
            of: #""count": 1"#, with: #""ordered": true, "count": 1"#)
        let scenario = try ScenarioFixture.read(EntitiesFixture.json(seed, entities: entities))
        let ends = ["tags": scenario.entities[3].name, "products": "Tag"].map { name, entity in
            scenario.schema.relationship(name, of: scenario.schema.place(of: entity)).map { [name: $0.isOrdered] }
        }
        #expect(Set(ends) == [["tags": true], ["products": false]])
        let drawn = { (entities: String) in
            let spec = try ScenarioFixture.read(EntitiesFixture.json(seed, entities: entities)).entities[3]
            let generator = RecordGenerator(entity: spec, seed: 5)
            return (0..<50).map { generator.links(0, $0) }
        }
        let inOrder = try drawn(entities)
        #expect(try inOrder.map { $0.sorted() } == drawn(EntitiesFixture.tagged))
        #expect(inOrder.contains { $0 != $0.sorted() })
        let update = #""kind": "update", "from": "seeded", "mode": "per_object", "entity": "Tag", "set""#
        _ = try ScenarioFixture.read(
            EntitiesFixture.json(update + #": { "products": { "unlink": 7 } }"#, entities: entities))
        assertInvalidScenario(
            EntitiesFixture.json(update + #": { "products": { "link": 2 } }"#, entities: entities),
            at: "phases[0].set.products.link",
            saying: #"a link by "products", whose inverse keeps an order; expected an update of Product.tags"#)
    }

    @Test func aLinkThatCannotBeIsAnsweredWithItsPlace() {
        let update = #""kind": "update", "from": "seeded", "entity": "Product", "mode": "#
        let wrong: [(mode: String, change: String, path: String, words: String)] = [
            ("per_object", #"{ "link": 6 }"#, ".link", "from 1 to 5"),
            ("chunked", #"{ "link": 2, "unlink": 2 }"#, ".unlink", "the record that is linked as well"),
            ("per_object", "{}", "", #"expected "link" or "unlink""#),
            ("per_object", "3", "", "expected an object"),
            ("batch", #"{ "link": 2 }"#, "", "expected an update in mode per_object or chunked"),
        ]
        for (mode, change, path, words) in wrong {
            assertInvalidScenario(
                EntitiesFixture.json(
                    update + #""\#(mode)", "set": { "tags": \#(change) }"#, entities: EntitiesFixture.tagged),
                at: "phases[0].set.tags\(path)", saying: words)
        }
        let undo = #""kind": "undo", "from": "seeded", "entity": "Product", "set": { "tags": { "link": 2 } }"#
        assertInvalidScenario(
            EntitiesFixture.json(undo, entities: EntitiesFixture.tagged), at: "phases[0].set.tags",
            saying: "a change of the many-to-many relationship \"tags\"")
        let delete = #""kind": "delete", "from": "seeded", "entity": "Tag", "mode": "batch""#
        let link = #""kind": "update", "from": "previous", "entity": "Product", "mode": "chunked", "#
        assertInvalidScenario(
            EntitiesFixture.json(
                delete, link + #""set": { "tags": { "link": 2 } }"#, entities: EntitiesFixture.tagged),
            at: "phases[1].from", saying: "records that lead to Tag, of which phase0 deleted some")
    }

    /// Which change came last would depend on the order of the records.
    @Test func bothEndsOfARelationshipAreNotLinkedAtOnce() throws {
        let entities = EntitiesFixture.tagged.replacingOccurrences(
            of: #""to": "Tag", "inverse": "products""#, with: #""to": "Product", "inverse": "products""#)
        let update = #""kind": "update", "from": "seeded", "entity": "Product", "mode": "per_object", "set": "#
        _ = try ScenarioFixture.read(
            EntitiesFixture.json(update + #"{ "products": { "unlink": 2 } }"#, entities: entities))
        assertInvalidScenario(
            EntitiesFixture.json(
                update + #"{ "tags": { "link": 1 }, "products": { "unlink": 2 } }"#, entities: entities),
            at: "phases[0].set.products",
            saying: #"a change of "products" beside one of its other end, "tags"; expected one of them"#)
    }

    /// A number beyond the last record becomes the last one's.
    @Test func theNumbersOfAnUndoAreScaled() throws {
        let undo = #""kind": "undo", "from": "seeded", "entity": "Line", "set": { "product": 7 }"#
        let scenario = try ScenarioFixture.read(EntitiesFixture.json(undo)).scaled(by: 0.3)
        let set = scenario.phases[0].work.as(UndoWork.self)?.set
        #expect(set == [AttributeChange(attribute: "product", operation: .assign(.int64(2)))])
    }

    @Test func aConditionThatEarlierChunksChangeIsRefused() throws {
        let cases: [(entity: String, key: String, change: String, isRefused: Bool)] = [
            ("Product", "tags.name", #""tags": { "link": 2 }"#, false),
            ("Product", "tags.products.stock", #""tags": { "link": 2 }"#, true),
            ("Product", "tags.products.stock", #""stock": 3"#, true),
            ("Line", "order.number", #""order": 3"#, false),
            ("Line", "order.lines.product.stock", #""order": 3"#, true),
            ("Line", "order.lines.product.stock", #""quantity": 3"#, false),
            ("Line", "order.lines.quantity", #""quantity": 3"#, true),
        ]
        for (entity, key, change, isRefused) in cases {
            let filter = #""filter": { "not": { "key": "\#(key)", "op": "in", "value": [VALUES] } }"#
                .replacing("VALUES", with: key == "tags.name" ? #""Tag 1""# : "1")
            let json = { (mode: String) in
                EntitiesFixture.json(
                    #""kind": "update", "from": "seeded", "entity": "\#(entity)", "mode": "\#(mode)", \#(filter), "#
                        + #""set": { \#(change) }"#, entities: EntitiesFixture.tagged)
            }
            _ = try ScenarioFixture.read(json("per_object"))
            if isRefused {
                assertInvalidScenario(
                    json("chunked"), at: "phases[0].filter",
                    saying: "a condition on \"\(key)\", which earlier chunks change in other records")
            } else {
                _ = try ScenarioFixture.read(json("chunked"))
            }
        }
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

    @Test func whatCannotBeIsAnsweredWithItsPlace() throws {
        let entities: [(old: String, new: String, path: String, words: String)] = [
            (#""to": "Order""#, #""to": "Ordre""#, "entities[2].relationships[0].to", #"Did you mean "Order"?"#),
            (#""name": "product""#, #""name": "Quantity""#, "entities[2].relationships[1].name", "has that already"),
            (
                #""inverse": "sales""#, #""inverse": "stock""#, "entities[2].relationships[1].inverse",
                "Product has that"
            ),
            (#""name": "Product""#, #""name": "order""#, "entities[3].name", "a second entity"),
        ]
        for (old, new, path, words) in entities {
            let list = EntitiesFixture.entities.replacingOccurrences(of: old, with: new)
            let mistakes = path == "entities[3].name" ? 2 : 1
            assertInvalidScenario(
                EntitiesFixture.json(seed, entities: list), at: path, saying: words, mistakes: mistakes)
        }
        let circle = EntitiesFixture.entities.replacingOccurrences(
            of: #""prefix": "Customer " } } ]"#,
            with: #"""
                "prefix": "Customer " } } ], "relationships": [{ "name": "last", "to": "Order", "inverse": "of" }]
                """#)
        let scenario = try ScenarioFixture.read(EntitiesFixture.json(seed, entities: circle))
        #expect(scenario.schema.isCircular && scenario.schema.features == [.severalEntities, .circles])
        assertInvalidScenario(
            EntitiesFixture.json(
                seed,
                entities: circle.replacingOccurrences(
                    of: #""inverse": "of""#, with: #""inverse": "of", "delete_rule": "cascade""#)),
            at: "entities[1].relationships", saying: "deletions that lead in a circle of several entities, by last")
        // The entity is read once, so that a mistake in it is one error.
        assertInvalidScenario(
            replacing: #""entities": [{ "name": "Item","#, with: #""entities": [{ "name": "Item", "relation": [],"#,
            at: "entities[0]", saying: #"unknown key "relation""#)
        let order = #"{ "name": "Order","#
        assertInvalidScenario(
            EntitiesFixture.json(seed).replacingOccurrences(of: order, with: order + #" "x": 1,"#), at: "entities[0]",
            saying: #"unknown key "x""#)
    }

    /// A rule of its own entity may lead in a circle, and one may deny what another deletes.
    @Test func aDeleteRuleIsThatOfTheRecordsThatLeadToADeletedOne() throws {
        let entities = EntitiesFixture.entities.replacingOccurrences(
            of: #"{ "name": "order","#,
            with: """
                { "name": "after", "to": "Line", "inverse": "before", "delete_rule": "cascade" }, { "name": "order",
                """
        ).replacingOccurrences(of: #""inverse": "sales","#, with: #""inverse": "sales", "delete_rule": "deny","#)
        let scenario = try ScenarioFixture.read(EntitiesFixture.json(delete, entities: entities))
        #expect(scenario.entities[2].toOnes.map(\.rule) == [.cascade, .cascade, .deny])
        let schema = scenario.schema
        #expect(schema.relationship("sales", of: 3)?.deleteRule == .deny)
        #expect(schema.features == [.severalEntities, .denials])
        #expect((0..<4).map(schema.isUncertain) == [false, false, true, true])
        #expect(scenario.entities.allSatisfy { $0.attributes.allSatisfy { $0.mayLoseValues == nil } })
        assertInvalidScenario(
            EntitiesFixture.json(
                delete, entities: entities.replacingOccurrences(of: #""deny""#, with: #""denny""#)),
            at: "entities[2].relationships[2].delete_rule", saying: #"Did you mean "deny"?"#)
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
        #expect(reached?.toOne == 0 && reached?.rest == "status")
    }

    /// What led to a deleted record and does not belong to it leads nowhere.
    @Test func aDeletionLeavesRelationshipsThatLeadNowhere() throws {
        let entities = EntitiesFixture.entities.replacingOccurrences(
            of: #""inverse": "lines", "delete_rule": "cascade""#, with: #""inverse": "lines""#)
        for entity in ["Customer", "Order"] {
            let json = EntitiesFixture.json(delete + #", "entity": "\#(entity)""#, entities: entities)
            let line = try ScenarioFixture.read(json).entities[2]
            #expect(line.attributes.map(\.hasNulls) == [false, true, false])
        }
        #expect(
            try ScenarioFixture.read(EntitiesFixture.json(delete)).entities[2].attributes.allSatisfy { !$0.hasNulls })
    }

    /// A record leads to one that is made before it; the first leads nowhere.
    @Test func aRelationshipToTheEntityItselfLeadsToAnEarlierRecord() throws {
        let entities = EntitiesFixture.entities.replacingOccurrences(
            of: #"{ "name": "order","#,
            with: #"{ "name": "after", "to": "Line", "inverse": "before" }, { "name": "order","#)
        let line = try ScenarioFixture.read(EntitiesFixture.json(seed, entities: entities)).entities[2]
        let records = RecordGenerator(entity: line, seed: 5)
        #expect(records.value(1, 0) == .null && records.isSometimesNull(1))
        let earlier = (1..<90).map { records.int64(1, $0) }
        #expect(zip(1..., earlier).allSatisfy { (1...Int64($0)).contains($1) } && Set(earlier).count > 30)
        let upsert = #""kind": "upsert", "from": "seeded", "entity": "Line", "records": 3"#
        let unique = entities.replacingOccurrences(
            of: #""name": "quantity", "type": "int64", "generator": { "kind": "uniform", "min": 1, "max": 9 }"#,
            with: #""name": "quantity", "type": "int64", "unique": true, "generator": { "kind": "sequence" }"#)
        #expect(throws: Never.self) { try ScenarioFixture.read(EntitiesFixture.json(upsert, entities: unique)) }
        // Others may insert at the same time.
        #expect((90..<900).allSatisfy { (1...90).contains(records.int64(1, $0)) })
    }

    @Test func aPhaseThatCannotBeIsAnsweredWithItsPlace() {
        let stock = #""kind": "update", "from": "previous", "mode": "batch", "set": { "product": 2 }"#
        let wrong: [(phases: [String], path: String, words: String)] = [
            ([count + #", "entity": "Lines""#], "phases[0].entity", #"Did you mean "Line"?"#),
            ([seed + #", "entity": "Line""#], "phases[0]", #"unknown key "entity""#),
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
