import Foundation
import Testing

@testable import BenchHarness

/// What older versions recorded stays readable, and is joined with what this one records.
@Suite struct SpellingTests {
    @Test func namesInCamelCaseAreReadAsTheyAreSpelledNow() throws {
        let json = """
            { "update": { "_0": { "mode": "perObject", "set": [], "chunkSize": 10, "filter":
              { "compare": { "key": "name", "_1": "beginsWith", "_2": { "string": { "_0": "a" } } } } } } }
            """
        let work = try JSONDecoder().decode(Phase.Work.self, from: Data(json.utf8))
        let filter = FilterSpec.compare(key: "name", .beginsWith, .string("a"))
        #expect(work == .update(UpdateWork(mode: .perObject, set: [], filter: filter, chunkSize: 10)))
    }

    @Test func operationsAndPoliciesInCamelCaseAreReadAsTheyAreSpelledNow() throws {
        let json = """
            { "load": { "_0": { "source": { "mix": { "_0": { "operations": { "readModifyWrite": 1 },
              "keys": { "uniform": {} }, "fieldsPerUpdate": 1, "scanLengthMax": 100 } } }, "workers": 2,
              "pace": { "operations": 5, "sampleSeconds": 1 },
              "policy": "objectTrump", "limits": {}, "abortsEarly": false } } }
            """
        let work = try JSONDecoder().decode(Phase.Work.self, from: Data(json.utf8))
        let mix = MixSpec(operations: [.readModifyWrite: 1])
        #expect(
            work
                == .load(
                    LoadWork(source: .mix(mix), workers: 2, pace: PaceSpec(operations: 5), policy: .objectTrump)))
    }

    @Test func rowOfAnOlderRunIsJoinedWithThoseOfThisVersion() throws {
        let csv = "scenario,driver,phase,repetition,status,mode\ns,d,p,1,ok,perObject\ns,d,p,2,ok,per_object\n"
        let rows = try ResultTable(csv: csv, file: "x.csv").rows
        #expect(PhaseKey(rows[0]) == PhaseKey(rows[1]))
    }

    @Test func recordedScenarioIsReadAgainAsItWas() throws {
        let scenario = try ScenarioFixture.read(ScenarioFixture.valid)
        #expect(try JSONDecoder().decode(Scenario.self, from: JSONEncoder().encode(scenario)) == scenario)
    }
}
