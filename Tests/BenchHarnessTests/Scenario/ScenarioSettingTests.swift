import Foundation
import Testing

@testable import BenchHarness

/// Numbers of a scenario that the command line sets.
@Suite struct ScenarioSettingTests {
    private func read(_ settings: String...) throws -> Scenario {
        try ScenarioReader().read(
            Data(ScenarioFixture.valid.utf8), file: "test.json", settings: settings.map { try ScenarioSetting($0) })
    }

    private func check(_ settings: String..., saying text: String, sourceLocation: SourceLocation = #_sourceLocation) {
        let message: String
        do {
            let parsed = try settings.map { try ScenarioSetting($0) }
            _ = try ScenarioReader().read(Data(ScenarioFixture.valid.utf8), file: "test.json", settings: parsed)
            message = "no error"
        } catch {
            message = "\(error)"
        }
        #expect(message == text, sourceLocation: sourceLocation)
    }

    @Test func aNumberTakesThePlaceOfTheScenarios() throws {
        let scenario = try read("phases.update.chunk_records=25", "records=500")
        guard let work = scenario.phases[2].work.as(UpdateWork.self) else {
            throw PhaseSkipped(reason: "another phase")
        }
        #expect(work.chunkSize == 25 && scenario.records == 500 && scenario.variants == nil)
    }

    @Test func aKeyThatTheScenarioLacksIsAdded() throws {
        #expect(try read("store.cache_size_kib=640").store.cacheSizeKiB == 640)
        #expect(try read("warmups=2").warmups == 2)
        let json = ScenarioFixture.replacing(
            #""store": { "synchronous": "full", "page_size_bytes": 8192 },"#, with: "")
        let added = try ScenarioReader().read(
            Data(json.utf8), file: "test.json", settings: [ScenarioSetting("store.page_size_bytes=512")])
        #expect(added.store.pageSizeBytes == 512)
    }

    @Test func severalNumbersMakeASweep() throws {
        let scenario = try read("store.cache_size_kib=640,1280", "phases.update.chunk_records=5,10")
        #expect(scenario.variants?.map(\.scenario.store.cacheSizeKiB) == [640, 640, 1_280, 1_280])
        #expect(scenario.sweptPaths == ["store.cache_size_kib", "phases.update.chunk_records"])
        #expect(try read("records=100,1000,2000").sizes == [100, 1_000, 2_000])
    }

    @Test func aTextThatIsNoSettingIsRefused() {
        check(
            "chunk_records",
            saying: "--set chunk_records: no number; expected PATH=NUMBER[,NUMBER...], such as "
                + "store.cache_size_kib=2000,8000")
        check(
            "store.cache_size_kib=many",
            saying: "--set store.cache_size_kib=many: \"many\"; expected a number, or several with commas between them")
        check(
            "store.cache_size_kib=1,,2",
            saying: "--set store.cache_size_kib=1,,2: \"\"; expected a number, or several with commas between them")
    }

    @Test func anUnknownPathIsRefusedWithTheNearest() {
        check(
            "chunk_record=5",
            saying: "--set chunk_record=5: unknown \"chunk_record\"; expected one of "
                + ObjectShape.scenario.keys.joined(separator: ", ") + ". Did you mean \"phases.update.chunk_records\"?")
        check(
            "phases.updat.chunk_records=5",
            saying:
                "--set phases.updat.chunk_records=5: unknown \"updat\"; expected one of seed, fetch, update, merge, "
                + "checkpoint, mixed, contended. Did you mean \"update\"?")
        check(
            "store.cache_size_kb=5",
            saying: "--set store.cache_size_kb=5: store: unknown key \"cache_size_kb\"; expected one of "
                + ObjectShape.store.keys.joined(separator: ", ") + ". Did you mean \"cache_size_kib\"?")
        check(
            "phases.update.chunk_records.size=5",
            saying:
                "--set phases.update.chunk_records.size=5: \"size\" after the number 10; expected a path that ends at "
                + "a number")
    }

    @Test func aListOfTheScenarioIsANearPathToo() throws {
        let json = ScenarioFixture.replacing(#""chunk_records": 10"#, with: #""chunk_records": [10, 20]"#)
        let errors = try #require(throws: ScenarioErrors.self) {
            try ScenarioReader().read(
                Data(json.utf8), file: "test.json", settings: [ScenarioSetting("chunk_record=5")])
        }
        #expect(errors.all.map(\.suggestion) == ["phases.update.chunk_records"])
    }

    @Test func aNumberThatTheKeyDoesNotTakeIsRefusedLikeThatOfTheFile() {
        check(
            "phases.update.chunk_records=5,0",
            saying: "--set phases.update.chunk_records=5,0: phases[2].chunk_records: the number 0; expected an integer "
                + "from 1 to 1,000,000,000")
        check(
            "name=5", saying: "--set name=5: name: the number 5; expected a string")
        check(
            "warmups=1,2", saying: "--set warmups=1,2: warmups: an array; expected an integer from 0 to 100")
    }

    @Test func onePathIsSetOnce() {
        check(
            "records=5", "records=6",
            saying: "--set records=6: \"records\" a second time; expected each number once; commas separate several")
    }
}
