import Foundation
import Testing

@testable import BenchHarness

/// Scenarios with lists in place of numbers.
@Suite struct SweepTests {
    private static let chunk = #""chunk_records": 10"#
    private static let page = #""page_size_bytes": 8192"#

    private func read(_ new: String, for old: String = chunk) throws -> Scenario {
        try ScenarioFixture.read(ScenarioFixture.replacing(old, with: new))
    }

    private func names(_ scenario: Scenario, _ variant: Int) -> [String] {
        scenario.at(variant: variant).phases.map(\.name)
    }

    private func chunkSize(_ scenario: Scenario) -> Int? {
        guard let work = scenario.phases[2].work.as(UpdateWork.self) else { return nil }
        return work.chunkSize
    }

    @Test func aListMakesAScenarioOfEachNumber() throws {
        let scenario = try read(#""chunk_records": [10, 500, 2000]"#)
        let variants = try #require(scenario.variants)
        #expect(variants.map { chunkSize($0.scenario) } == [10, 500, 2_000] && chunkSize(scenario) == 10)
        #expect(variants.allSatisfy { $0.scenario.variants == nil })
        let path = ["phases", "update", "chunk_records"]
        #expect(variants[1].settings == [SweptSetting(path: path, phase: 2, value: "500")])
        #expect(scenario.sweptPaths == ["phases.update.chunk_records"])
        #expect(try read(Self.chunk).variants == nil && read(Self.chunk).sweptPaths.isEmpty)
    }

    @Test func severalListsMakeEachCombination() throws {
        let json = ScenarioFixture.replacing(Self.chunk, with: #""chunk_records": [10, 20]"#)
            .replacing(Self.page, with: #""page_size_bytes": [8192, 4096, 512]"#)
        let scenario = try ScenarioFixture.read(json)
        let variants = try #require(scenario.variants)
        #expect(variants.map(\.scenario.store.pageSizeBytes) == [8_192, 8_192, 4_096, 4_096, 512, 512])
        #expect(variants.map { chunkSize($0.scenario) } == [10, 20, 10, 20, 10, 20])
        // Phases on the same store depend on the page, and those that go on from the update on its chunk as well.
        #expect(names(scenario, 3)[1] == "fetch@page_size_bytes=4096")
        #expect(names(scenario, 3)[3] == "merge@page_size_bytes=4096,chunk_records=20")
        #expect(scenario.variants(of: 1..<2) == [0, 2, 4] && scenario.variants(of: 2..<5) == Array(0..<6))
        #expect(scenario.storeVariants == [0, 2, 4] && scenario.storeVariant(3) == 2)
    }

    @Test func onlyTheStretchThatDependsOnANumberRunsInVariants() throws {
        let scenario = try read(#""chunk_records": [10, 500]"#)
        #expect(
            names(scenario, 1) == [
                "seed", "fetch", "update@chunk_records=500", "merge@chunk_records=500", "checkpoint@chunk_records=500",
                "mixed", "contended",
            ])
        #expect(scenario.variants(of: 0..<1) == [0] && scenario.variants(of: 2..<5) == [0, 1])
        #expect(scenario.storeVariants == [0])
        #expect(scenario.resultNames.count == 7 + 3 && Set(scenario.resultNames).count == 10)
    }

    @Test func aVariantIsFoundByANameInResults() throws {
        let scenario = try read(#""chunk_records": [10, 500]"#)
        #expect(chunkSize(scenario.variant(with: "update@chunk_records=500")) == 500)
        #expect(scenario.variant(with: "fetch").variants == nil && chunkSize(scenario.variant(with: "fetch")) == 10)
        let plain = try read(Self.chunk)
        #expect(plain.variant(with: "update") == plain)
    }

    @Test func allPhasesDependOnHowTheStoreIsSeeded() throws {
        let scenario = try read(
            #""save_every_records": [100, 1000]"#, for: #""save_every_records": 100"#)
        #expect(names(scenario, 1).allSatisfy { $0.hasSuffix("@save_every_records=1000") })
        #expect(scenario.storeVariants == [0, 1])
    }

    @Test func aKeyIsNamedWithAsMuchOfItsPathAsNeeded() {
        func setting(_ path: String, _ value: String) -> SweptSetting {
            SweptSetting(path: path.split(separator: "/").map(String.init), phase: nil, value: value)
        }
        let settings = [
            setting("entities/Item/attributes/a/generator/length_bytes", "1"),
            setting("entities/Item/attributes/b/generator/length_bytes", "2"), setting("phases/f/filter/0/x", "0.5"),
            setting("phases/f/filter/1/x", "3"), setting("store/cache_size_kib", "4"),
        ]
        #expect(
            settings.marks.map(\.description) == [
                "a.generator.length_bytes=1", "b.generator.length_bytes=2", "filter.0.x=0.5", "filter.1.x=3",
                "cache_size_kib=4",
            ])
    }

    @Test func sizesAndListsGoTogether() throws {
        let json = ScenarioFixture.replacing(Self.chunk, with: #""chunk_records": [10, 20]"#)
            .replacing(#""records": 1000"#, with: #""records": [1000, 2000]"#)
        let scenario = try ScenarioFixture.read(json)
        #expect(scenario.sizes == [1_000, 2_000] && scenario.variants?.count == 2)
        let small = scenario.at(variant: 1).at(records: 1_000)
        #expect(small.records == 1_000 && small.phases[2].name == "update@chunk_records=20@1000")
        #expect(SizedName(small.phases[2].name).sizeless.description == "update@chunk_records=20")
    }

    @Test func variantsAreScaledAlike() throws {
        let scenario = try read(#""chunk_records": [10, 500]"#).scaled(by: 0.1)
        #expect(scenario.variants?.map(\.scenario.records) == [100, 100])
        #expect(scenario.variants?.map { chunkSize($0.scenario) } == [1, 50])
    }

    @Test func manifestsKeepVariantsAndScenariosWithoutThemHaveNoSuchKey() throws {
        let scenario = try read(#""chunk_records": [10, 500]"#)
        #expect(try JSONDecoder().decode(Scenario.self, from: JSONEncoder().encode(scenario)) == scenario)
        #expect(!String(decoding: try JSONFile.text(FakeDriver.scenario), as: UTF8.self).contains("variants"))
        let other = try read(#""chunk_records": [10, 600]"#)
        #expect(ScenarioMatch.difference(scenario, other) == "the lists of numbers differ")
        #expect(ScenarioMatch.difference(scenario, scenario) == nil)
    }

    @Test func aPhaseInAVariantIsTakenApartAgain() {
        let name = SizedName("update@chunk_records=100,store.cache=0.5@all-cores")
        #expect(name.phase == "update" && name.isOnAllCores && name.records == nil)
        #expect(name.marks.map(\.key) == ["chunk_records", "store.cache"] && name.marks.map(\.number) == [100, 0.5])
        #expect(name.description == "update@chunk_records=100,store.cache=0.5@all-cores")
        #expect(SizedName(onAllCores: "update@a=1").phase == "update")
    }

    @Test(arguments: ["a@b=", "a@=1", "a@b=x", "a@b=1,", "@b=1", "a@b=1@c=2", "a@b=nan", "a@b=1=2"])
    func onlyKeysWithNumbersMakeAVariant(name: String) {
        #expect(SizedName(name).marks.isEmpty && SizedName(name).phase == name && SizedName(name).description == name)
    }

    @Test func variantsOfAPhaseStandBelowEachOther() {
        let names = ["a@n=100", "b", "a@n=20@5", "a@n=20@4", "c"]
        let sorted = names.bySize { name in
            var row = ResultRow()
            row.phase = name
            return PhaseKey(row)
        }
        #expect(sorted == ["a@n=20@4", "a@n=20@5", "a@n=100", "b", "c"])
    }
}
