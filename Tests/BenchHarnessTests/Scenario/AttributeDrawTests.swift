import Foundation
import Testing

@testable import BenchHarness

/// Values that an update draws for each record.
@Suite struct AttributeDrawTests {
    private static let old = #""set": { "done": { "toggle": true }, "score": { "add": 5 } }"#
    private static let name = #""set": { "name": { "generator": { "kind": "random", "length_bytes": 12 } } }"#

    private func draw(_ scenario: Scenario, _ phase: Int = 2, _ change: Int = 0) throws -> AttributeDraw {
        guard let work = scenario.phases[phase].work.as(UpdateWork.self),
            case .draw(let draw) = work.set[change].operation
        else { throw CancellationError() }
        return draw
    }

    @Test func everyTypeDrawsFromItsGenerators() throws {
        let set = #"""
            "set": {
              "name": { "generator": { "kind": "random", "length_bytes": 2, "length_bytes_max": 5 } },
              "createdAt": { "generator":
                { "kind": "uniform", "min": "2022-01-01T00:00:00Z", "max": "2026-01-01T00:00:00Z" } },
              "done": { "generator": { "kind": "uniform", "probability": 0.5 } }
            }
            """#
        let scenario = try ScenarioFixture.read(ScenarioFixture.replacing(Self.old, with: set))
        #expect(try draw(scenario).generator == .randomLengths(min: 2, max: 5))
        let values = try (0..<3).map { change in
            try (0..<200).map { try draw(scenario, 2, change).value($0) }
        }
        #expect(Set(values[0]).count > 150 && Set(values[1]).count == 200 && Set(values[2]).count == 2)
    }

    @Test func valuesDependOnTheSeedThePhaseAndTheAttribute() throws {
        let json = ScenarioFixture.replacing(Self.old, with: Self.name)
        let first = try draw(ScenarioFixture.read(json))
        #expect(try draw(ScenarioFixture.read(json)) == first)
        let others = [(#""seed": 7"#, #""seed": 8"#), (#""name": "update""#, #""name": "change""#)]
        for (old, new) in others {
            let other = try draw(ScenarioFixture.read(json.replacingOccurrences(of: old, with: new)))
            #expect(other.value(1) != first.value(1))
        }
        #expect(
            AttributeDraw.seed(1, phase: "a", attribute: "b") != AttributeDraw.seed(1, phase: "a", attribute: "c"))
    }

    @Test func aDrawSurvivesTheManifest() throws {
        let scenario = try ScenarioFixture.read(ScenarioFixture.replacing(Self.old, with: Self.name))
        let decoded = try JSONDecoder().decode(Scenario.self, from: JSONEncoder().encode(scenario))
        #expect(decoded == scenario)
        #expect(try draw(decoded).value(3) == draw(scenario).value(3))
    }

    @Test func theExpectedStoreHoldsWhatWasDrawn() throws {
        let scenario = try ScenarioFixture.read(ScenarioFixture.replacing(Self.old, with: Self.name))
        guard let work = scenario.phases[2].work.as(UpdateWork.self) else { throw CancellationError() }
        var store = ExpectedStore(generator: RecordGenerator(entity: scenario.entity, seed: scenario.seed))
        store.seed(records: 10)
        store.apply(work)
        let draw = try draw(scenario)
        for ordinal in 0..<10 { #expect(store.record(ordinal)?[0] == draw.value(ordinal)) }
        #expect(Set((0..<10).map { store.record($0)?[0] }).count == 10)
    }

    @Test func whatCannotBeDrawnIsRefused() {
        let generator = #"{ "generator": { "kind": "random", "length_bytes": 12 } }"#
        let wrong = [
            (#""set": { "name": { "generater": 1 } }"#, "phases[2].set.name", "a new value, or a generator"),
            (
                #""set": { "name": { "generator": { "kind": "constant", "value": "a" } } }"#,
                "phases[2].set.name.generator", "its value in place of the generator"
            ),
            (
                #""set": { "score": { "generator": { "kind": "sequence" } } }"#, "phases[2].set.score",
                #"the unique attribute "score""#
            ),
            (
                #""set": { "name": { "generator": { "kind": "uniform", "min": 1, "max": 2 } } }"#,
                "phases[2].set.name.generator.kind", "a uniform generator for a string attribute"
            ),
            (
                #""set": { "name": { "generator": { "kind": "random", "length_bytes": 5, "length_bytes_max": 4 } } }"#,
                "phases[2].set.name.generator.length_bytes_max", "length_bytes <= length_bytes_max"
            ),
        ]
        for (set, path, words) in wrong {
            assertInvalidScenario(replacing: Self.old, with: set, at: path, saying: words)
        }
        assertInvalidScenario(
            replacing: #""mode": "chunked", "chunk_records": 10,"# + "\n      " + Self.old,
            with: #""mode": "batch", "set": { "name": \#(generator) }"#, at: "phases[2].set.name",
            saying: "an update in mode per_object or chunked")
        assertInvalidScenario(
            replacing: #""set": { "createdAt": { "add_s": 60 } }"#, with: #""set": { "name": \#(generator) }"#,
            at: "phases[3].set.name", saying: "an update in mode per_object or chunked")
    }
}
