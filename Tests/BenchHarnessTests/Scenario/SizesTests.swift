import Foundation
import Testing

@testable import BenchHarness

/// Scenarios that are done at several numbers of records.
@Suite struct SizesTests {
    private static let records = #""records": 1000"#

    private func read(_ records: String) throws -> Scenario {
        try ScenarioFixture.read(ScenarioFixture.replacing(Self.records, with: records))
    }

    @Test func severalNumbersOfRecordsAreReadWithWhatTheyMayGrowBy() throws {
        let scenario = try read(#""records": [1000, 2000, 4000], "growth": { "max_exponent": 1.05 }"#)
        #expect(scenario.records == 4_000 && scenario.sizes == [1_000, 2_000, 4_000])
        #expect(scenario.growth == GrowthSpec(maxExponent: 1.05))
        let plain = try read(Self.records)
        #expect(plain.sizes == nil && plain.growth == nil && plain.allSizes == [1_000])
    }

    @Test func mistakesAreAnsweredWithTheirPlace() {
        func check(_ records: String, at path: String, saying text: String, mistakes: Int = 1) {
            assertInvalidScenario(
                replacing: Self.records, with: records, at: path, saying: text, mistakes: mistakes)
        }
        check(#""records": [1000]"#, at: "records", saying: "2 to 16 numbers of records")
        check(#""records": []"#, at: "records", saying: "an array of 0; expected 2 to 16 numbers of records")
        check(#""records": [1000, 1000]"#, at: "records[1]", saying: "1000 after 1000; expected a larger number")
        check(#""records": [2000, 1000]"#, at: "records[1]", saying: "1000 after 2000; expected a larger number")
        check(#""records": [1000, "2000"]"#, at: "records[1]", saying: "an integer from 1 to 1,000,000,000")
        check(
            #""records": [1000, 2000], "growth": {}"#, at: "growth", saying: #"the key "max_exponent" is missing"#,
            mistakes: 2)
        check(
            #""records": [1000, 2000], "growth": { "max_exponent": 1 }"#, at: "growth",
            saying: #"over 2 numbers of records; expected "records" to be a list of at least 3"#)
        check(
            #""records": 1000, "growth": { "max_exponent": 1 }"#, at: "growth", saying: "over one number of records")
        check(
            #""records": [1000, 2000, 3000], "growth": { "max_exponent": -1 }"#, at: "growth.max_exponent",
            saying: "from 0.0 to 10.0")
    }

    @Test func phasesMustBePossibleWithTheFewestRecords() {
        assertInvalidScenario(
            replacing: Self.records, with: #""records": [20, 1000]"#, at: "phases[1].cancel_after_records",
            saying: "from 1 to 19", mistakes: 2)
    }

    @Test func atASizePhasesBearItInTheirNamesAndAreElseTheSame() throws {
        let scenario = try read(#""records": [1000, 2000, 4000], "growth": { "max_exponent": 1.05 }"#)
        let small = scenario.at(records: 1_000)
        #expect(small.records == 1_000 && small.sizes == nil && small.growth == nil)
        #expect(small.phases.map(\.name).prefix(2) == ["seed@1000", "fetch@1000"])
        #expect(small.phases.map(\.work) == scenario.phases.map(\.work))
        #expect(scenario.resultNames.count == 3 * scenario.phases.count)
        let plain = try read(Self.records)
        #expect(plain.at(records: 1_000) == plain)
    }

    @Test func scalingScalesEachSizeAndDoesThoseThatBecomeOneOnce() throws {
        let scenario = try read(#""records": [1000, 2000, 200000]"#)
        #expect(scenario.scaled(by: 0.5).sizes == [500, 1_000, 100_000])
        let tiny = scenario.scaled(by: 0.0001)
        #expect(tiny.sizes == [1, 20] && tiny.records == 20)
        // What is scaled must be possible at the smallest size.
        for phase in tiny.phases {
            if let work = phase.work.as(MergeWork.self) { #expect(work.recordsNeeded <= 1) }
        }
    }

    @Test func manifestsOfOlderScenariosAreStillRead() throws {
        let text = try JSONFile.text(FakeDriver.scenario)
        #expect(!String(decoding: text, as: UTF8.self).contains("sizes"))
        #expect(try JSONDecoder().decode(Scenario.self, from: JSONEncoder().encode(FakeDriver.scenario)).sizes == nil)
    }

    @Test(arguments: ["seed", "a@b", "@10", "a@", "a@0", "a@-5", "a@010", "a@1@2", "a@1x"])
    func onlyAPhaseAndANumberMakeASizedName(name: String) {
        #expect(SizedName(name).records == nil && SizedName(name).description == name)
    }

    @Test func aNameOfTurnsOnAllCoresIsTakenApartAgain() {
        let name = SizedName("merge@all-cores")
        #expect(name.phase == "merge" && name.records == nil && name.isOnAllCores)
        #expect(name == SizedName(onAllCores: "merge") && name.description == "merge@all-cores")
    }

    @Test func aSizedNameIsTakenApartAgain() {
        let name = SizedName("fetch-sync@10000")
        #expect(name.phase == "fetch-sync" && name.records == 10_000 && name.description == "fetch-sync@10000")
    }

    @Test func sizesOfAPhaseStandBelowEachOtherAndAllElseStaysInItsOrder() {
        let names = ["seed@100", "fetch@100", "other", "seed@20", "fetch@20", "last"]
        let sorted = names.bySize { name in
            var row = ResultRow()
            row.phase = name
            return PhaseKey(row)
        }
        #expect(sorted == ["seed@20", "seed@100", "fetch@20", "fetch@100", "other", "last"])
    }
}
