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

    /// Workers of another version read it, too.
    @Test func workIsWrittenAsItAlwaysWas() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let works: [(Phase.Work, String)] = [
            (.checkpoint, #"{"checkpoint":{}}"#),
            (.undo(UndoWork(set: [], stepSize: 2)), #"{"undo":{"_0":{"set":[],"stepSize":2}}}"#),
            (.count(CountWork()), #"{"count":{"_0":{}}}"#),
        ]
        for (work, json) in works {
            #expect(String(decoding: try encoder.encode(work), as: UTF8.self) == json)
            #expect(try JSONDecoder().decode(Phase.Work.self, from: Data(json.utf8)) == work)
        }
        #expect(Set(PhaseKind.types.map { $0.codingName }).count == PhaseKind.types.count)
    }

    @Test func workOfALaterVersionIsNamed() {
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Phase.Work.self, from: Data(#"{"shuffle":{"_0":{}}}"#.utf8))
        }
        #expect(error.map { "\($0)" }?.contains("no kind of work is called") == true)
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

    /// SQLite ignores case, and Core Data's layout has names in capital letters.
    @Test(arguments: [("name", "NAME", true), ("ß", "ss", true), ("name", "names", false)])
    func namesThatAColumnCannotTellApartAreTheSame(one: String, other: String, isSame: Bool) {
        #expect(one.isSameName(as: other) == isSame && other.isSameName(as: one) == isSame)
    }
}
