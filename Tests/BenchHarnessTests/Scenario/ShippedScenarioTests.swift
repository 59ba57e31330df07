import Foundation
import TestSupport
import Testing

@testable import BenchHarness

/// The scenarios in the repository's own folder.
@Suite struct ShippedScenarioTests {
    private let locator = ScenarioLocator(workingDirectory: ScenarioFixture.folder.deletingLastPathComponent())

    /// The files of the repository; the folder may have others, of whoever works in it.
    private static let names =
        [
            "chunk-size", "ci", "cold", "durable-load", "durable", "feed", "growth-related", "growth-wide", "growth",
            "hundred-thousand", "indexed", "instrument", "library", "load", "mail", "million", "relationships",
            "scattered", "shop", "smoke", "soak", "undurable", "unindexed", "wide",
        ] + ["a", "b", "c", "d", "e", "f"].map { "ycsb-\($0)" }

    private func shipped() throws -> [URL] {
        try locator.list().filter { Self.names.contains($0.deletingPathExtension().lastPathComponent) }
    }

    @Test func allAreListedAndValidAndNamedLikeTheirFiles() throws {
        let urls = try shipped()
        #expect(urls.map { $0.deletingPathExtension().lastPathComponent } == Self.names)
        for url in urls {
            let scenario = try ScenarioReader().read(contentsOf: url)
            #expect(scenario.name == url.deletingPathExtension().lastPathComponent)
        }
    }

    @Test(arguments: [0.0001, 0.001, 0.01, 0.5, 3])
    func scalingKeepsThemPossible(_ factor: Double) throws {
        for url in try shipped() {
            let scenario = try ScenarioReader().read(contentsOf: url).scaled(by: factor)
            #expect(scenario.records >= 1)
            for phase in scenario.phases {
                guard let work = phase.work.as(MergeWork.self) else { continue }
                #expect(work.recordsNeeded <= scenario.records && work.saves >= 1)
                _ = MergePlan.make(work: work, records: scenario.records, seed: 1)
            }
        }
    }

    @Test func scalingChangesEveryCountThatIsAShareOfTheRecords() throws {
        let scenario = try ScenarioReader().read(contentsOf: locator.locate("million")).scaled(by: 0.1)
        #expect(scenario.records == 100_000)
        let phases = Dictionary(uniqueKeysWithValues: scenario.phases.map { ($0.name, $0.work) })
        guard let fetch = phases["fetch-cancelled"]?.as(FetchWork.self),
            let update = phases["update-chunked"]?.as(UpdateWork.self),
            let merge = phases["merge"]?.as(MergeWork.self)
        else { throw ScenarioError(file: "million", found: "other phases than this test knows") }
        #expect(fetch.cancelAfterRecords == 20_000 && fetch.limit == 0)
        #expect(update.chunkSize == 1_000)
        #expect(merge.writers == 4 && merge.savesPerWriter == 25)
        #expect(merge.insertsPerSave == 1 && merge.changesPerSave == 2 && merge.deletesPerSave == 1)
    }

    @Test func theScenariosWithAndWithoutAnIndexDifferInNothingElse() throws {
        var indexed = try ScenarioReader().read(contentsOf: locator.locate("indexed"))
        let plain = try ScenarioReader().read(contentsOf: locator.locate("unindexed"))
        #expect(indexed.entity.attributes.map(\.isIndexed) == [false, true, false])
        indexed.entity.attributes[1].indexed = nil
        (indexed.name, indexed.summary) = (plain.name, plain.summary)
        #expect(indexed == plain)
    }

    @Test func theScenariosWithAndWithoutSyncsDifferInNothingElse() throws {
        var durable = try ScenarioReader().read(contentsOf: locator.locate("durable"))
        let other = try ScenarioReader().read(contentsOf: locator.locate("undurable"))
        #expect(durable.store.synchronous == .full && durable.store.walAutocheckpointPages == 1_000)
        #expect(other.store.synchronous == .normal && other.store.walAutocheckpointPages == 0)
        (durable.name, durable.summary, durable.store) = (other.name, other.summary, other.store)
        #expect(durable == other)
    }

    /// The two ninths differ in where their records lie, and not in how many there are.
    @Test func aScatteredNinthHasAsManyRecordsAsTheNeighboursAndFewThatAreNeighbours() throws {
        let scenario = try ScenarioReader().read(contentsOf: locator.locate("scattered")).scaled(by: 0.1)
        let generator = RecordGenerator(entity: scenario.entity, seed: scenario.seed)
        func matching(_ phase: String) throws -> [Int] {
            guard let work = scenario.phases.first(where: { $0.name == phase })?.work.as(UpdateWork.self) else {
                return []
            }
            let filter = RecordFilter(try #require(work.filter), entity: scenario.entity)
            return (0..<scenario.records).filter { ordinal in filter.matches { generator.value($0, ordinal) } }
        }
        func runs(_ ordinals: [Int]) -> Int { zip(ordinals, ordinals.dropFirst()).count { $1 != $0 + 1 } + 1 }
        let (neighbours, scattered) = (try matching("neighbours"), try matching("scattered"))
        #expect(neighbours.count == 11_111 && runs(neighbours) == 5)
        #expect(abs(scattered.count - neighbours.count) < 400 && runs(scattered) > scattered.count / 5 * 4)
    }

    @Test(arguments: [
        "Scenarios/million.json", "scenarios/million.json", "SCENARIOS/Million.JSON", "million", "million.json",
        "./scenarios/million.json",
    ])
    func aScenarioIsFoundHoweverItIsSpelled(_ argument: String) throws {
        let url = try locator.locate(argument)
        #expect(url.standardizedFileURL.path.hasSuffix("/Scenarios/million.json"))
    }

    @Test func whatIsNotThereIsAnsweredWithTheNearestName() {
        let error = #expect(throws: ScenarioError.self) { try locator.locate("scenarios/milion.json") }
        #expect(error?.suggestion == "million")
        let directory = #expect(throws: ScenarioError.self) { try locator.locate("scenarios") }
        #expect(directory?.found == "a directory")
        #expect(throws: ScenarioError.self) { try locator.locate("") }
        #expect(throws: ScenarioError.self) { try locator.locate("/") }
    }

    @Test func aFolderOfTheSameNameDoesNotHideAScenario() throws {
        let directory = try TemporaryDirectory()
        for folder in ["Scenarios", "mine"] {
            try FileManager.default.createDirectory(
                at: directory.file(folder), withIntermediateDirectories: true)
        }
        try directory.write(ScenarioFixture.valid, to: "Scenarios/mine.json")
        let url = try ScenarioLocator(workingDirectory: directory.url).locate("mine")
        #expect(url.relativePath == "Scenarios/mine.json")
        #expect(try ScenarioReader().read(contentsOf: url).name == "fixture")
    }

    @Test func anEndlessFileIsRefusedByItsSize() {
        let errors = #expect(throws: ScenarioErrors.self) {
            try ScenarioReader().read(contentsOf: URL(fileURLWithPath: "/dev/zero"))
        }
        #expect(errors?.all.first?.found == "a file of more than 1048576 bytes")
    }

    @Test func aMissingFileIsAnsweredByItsName() {
        let errors = #expect(throws: ScenarioErrors.self) {
            try ScenarioReader().read(contentsOf: URL(fileURLWithPath: "/nowhere/x.json"))
        }
        #expect(errors?.description == "/nowhere/x.json: no such file; expected a scenario")
    }
}
