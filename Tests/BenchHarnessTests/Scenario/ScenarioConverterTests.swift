import Foundation
import TestSupport
import Testing

@testable import BenchHarness

/// Files of version 2, rewritten.
@Suite struct ScenarioConverterTests {
    private let attributes =
        #""attributes": [{ "name": "name", "type": "string", "generator": { "kind": "sequence" } }]"#

    private func converted(_ entities: String, phase: String = #""kind": "seed", "from": "empty""#) throws -> String {
        let text = """
            // A comment.
            {
              "version": 2, "name": "old", "records": 20,
              \(entities),
              "phases": [
                { "name": "phase", \(phase) } // and another
              ]
            }
            """
        let folder = try TemporaryDirectory()
        let file = try folder.write(Data(text.utf8), to: "old.json")
        return String(decoding: try #require(try ScenarioConverter.convert(contentsOf: file)), as: UTF8.self)
    }

    private func read(_ text: String) throws -> Scenario {
        try ScenarioReader().read(Data(text.utf8), file: "new.json")
    }

    @Test func anEntityBecomesAListAndCommentsStay() throws {
        let text = try converted(#""entity": { "name": "Item", \#(attributes) }"#)
        let scenario = try read(text)
        #expect(scenario.entities.map(\.name) == ["Item"] && scenario.records == 20)
        #expect(text.hasPrefix("// A comment.\n{\n") && text.contains("} // and another"))
        #expect(text.contains(#""version": 3"#))
    }

    @Test func ownersBecomeAnEntityThatARelationshipLeadsTo() throws {
        let owner = #"""
            "owner": { "relationship": "list", "inverse": "items", "entity": "List", "records": 4,
              "distribution": "zipfian", \#(attributes.replacing("name\"", with: "title\"")) }
            """#.replacing("title\": \"title", with: "name\": \"title")
        let follow = #""kind": "fetch", "from": "seeded", "mode": "sync", "follow": { "relationship": "items" }"#
        let scenario = try read(
            converted(#""entity": { "name": "Item", \#(attributes), \#(owner) }"#, phase: follow))
        #expect(scenario.entities.map(\.name) == ["Item", "List"] && scenario.entities.map(\.records) == [20, 4])
        let list = ReferenceSpec(
            relationship: "list", inverse: "items", entityName: "List", records: 4, distribution: .zipfian)
        #expect(scenario.entity.references == [list])
        #expect(scenario.phases[0].entity == "List")
    }

    @Test func entitiesThatInheritJoinTheList() throws {
        let kinds = #"""
            "subentities": [{ "name": "Song", "share": 0.5,
              "attributes": [{ "name": "artist", "type": "string", "generator": { "kind": "sequence" } }] }]
            """#
        let scenario = try read(converted(#""entity": { "name": "Medium", \#(attributes), \#(kinds) }"#))
        #expect(scenario.entity.subentities == [SubentitySpec(name: "Song", share: 0.5)])
        #expect(scenario.entity.attributes.map(\.name) == ["name", "artist", EntitySpec.kindName])
    }

    @Test func severalEntitiesFollowTheirFirst() throws {
        let order = #""entity": { "name": "Order", \#(attributes) }"#
        let lines = #"""
            "entities": [{ "name": "Line", "records": 50, \#(attributes),
              "relationships": [{ "name": "order", "to": "Order", "inverse": "lines" }] }]
            """#
        let scenario = try read(converted("\(order),\n  \(lines)"))
        #expect(scenario.entities.map(\.name) == ["Order", "Line"] && scenario.entities.map(\.records) == [20, 50])
    }

    @Test func whatCannotBeConvertedIsRefusedOrLeft() throws {
        let folder = try TemporaryDirectory()
        let new = try folder.write(Data(ScenarioFixture.valid.utf8), to: "new.json")
        #expect(try ScenarioConverter.convert(contentsOf: new) == nil)
        for (text, words) in [
            (#"{ "version": 1, "entity": {} }"#, "expected version 2, the one that can be converted"),
            (#"{ "version": 2, "entity": { "name": 5 } }"#, "wrong.json, converted"), ("{", "a key in double quotes"),
        ] {
            let file = try folder.write(Data(text.utf8), to: "wrong.json")
            let error = #expect(throws: ScenarioErrors.self) { try ScenarioConverter.convert(contentsOf: file) }
            #expect(error?.description.contains(words) == true, "\(String(describing: error))")
        }
    }
}
