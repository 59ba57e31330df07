import Foundation
import TestSupport
import Testing

@testable import BenchHarness

@Suite struct RecordedRunTests {
    @Test func theManifestBesideTheFileIsReadWithIt() throws {
        let run = try RecordedRun(contentsOf: Repository.million)
        #expect(run.rows.count == 432)
        let manifest = try #require(run.manifest)
        #expect(manifest.scenario?.name == "million")
        #expect(manifest.scenario?.store.walAutocheckpointPages == 0)
        #expect(manifest.drivers.first { $0.name == "sqlite" }?.properties["baseline_revision"] == "4")
        #expect(manifest.host.cpuModel != nil)
    }

    @Test func aMissingManifestIsNoError() throws {
        let folder = try TemporaryDirectory()
        let copy = folder.file("copy.csv")
        try FileManager.default.copyItem(at: Repository.million, to: copy)
        #expect(try RecordedRun(contentsOf: copy).manifest == nil)
        try Data("{}".utf8).write(to: Manifest.url(beside: copy))
        let error = #expect(throws: RunError.self) { try RecordedRun(contentsOf: copy) }
        #expect(error?.code == .results)
        #expect(error?.description.hasSuffix("the key \"version\" is missing") == true)
    }

    @Test func theManifestOfAnotherRunIsRefused() throws {
        let folder = try TemporaryDirectory()
        try FileManager.default.copyItem(at: Repository.million, to: folder.file("copy.csv"))
        let smoke = Repository.url("Results/baseline/smoke.csv")
        try FileManager.default.copyItem(at: Manifest.url(beside: smoke), to: folder.file("copy.manifest.json"))
        let error = #expect(throws: RunError.self) { try RecordedRun(contentsOf: folder.file("copy.csv")) }
        let runs = try [smoke, Repository.million].map { try ResultTable(contentsOf: $0).rows[0].run }
        #expect(error?.code == .results)
        #expect(error?.description.contains("copy.manifest.json is of the run \(runs[0]), and ") == true)
        #expect(error?.description.contains("copy.csv has rows of the run \(runs[1]); put") == true)
    }

    @Test func aRepetitionWithTwoRowsIsRefused() throws {
        let folder = try TemporaryDirectory()
        let run = ComparisonFixture.phase([100, 101, 102, 103])
        let doubled = RecordedRun(url: run.url, rows: run.rows + [run.rows[3]], manifest: nil)
        try doubled.write(to: folder.file("a.csv"))
        let error = #expect(throws: RunError.self) { try RecordedRun(contentsOf: folder.file("a.csv")) }
        #expect(error?.description.contains("two rows of managed, fetch, repetition 4") == true)
    }

    private func named(_ file: String, _ runs: [String], load: String? = nil) -> RecordedRun {
        let rows = runs.enumerated().map { index, run in
            var row = ResultRow()
            (row.run, row.repetition) = (run, index + 1)
            return row
        }
        var manifest = ComparisonFixture.manifest()
        manifest.shard = load.map { ShardFacts(index: 0, count: 2, load: $0) }
        return RecordedRun(url: URL(fileURLWithPath: file), rows: rows, manifest: manifest)
    }

    @Test func theSameRunCountsOnce() throws {
        let own = named("a.csv", ["1"])
        for other in [own, named("copy.csv", ["1"]), named("b.csv", ["2", "1"])] {
            let error = #expect(throws: RunError.self) { try [own, other].checkCountOnce() }
            #expect(
                error?.description
                    == "\(other.name) and a.csv hold the same run 1; leave one of them out, or it counts twice")
        }
        try [own, named("b.csv", ["2"])].checkCountOnce()
    }

    @Test func aShardCountsWithItsLoadOnce() throws {
        let shards = ["1", "2"].map { named("shard-\($0).csv", [$0], load: "all") }
        try shards.checkCountOnce()
        let error = #expect(throws: RunError.self) { try (shards + [named("load.csv", ["all"])]).checkCountOnce() }
        #expect(
            error?.description
                == "shard-1.csv is a shard of the load in load.csv; leave one of them out, or it counts twice")
    }

    /// Files of other programs may have no column for it.
    @Test func filesThatNameNoRunAreToldApartByTheirPaths() throws {
        let files = ["a.csv", "b.csv"].map { named($0, [""]) }
        try files.checkCountOnce()
        #expect(throws: RunError.self) { try (files + [files[0]]).checkCountOnce() }
    }

    /// Keys may come later; another number says that they mean something else.
    @Test func aManifestOfAnotherVersionIsRefused() throws {
        let folder = try TemporaryDirectory()
        let copy = folder.file("copy.csv")
        try FileManager.default.copyItem(at: Repository.million, to: copy)
        let text = try String(contentsOf: Manifest.url(beside: Repository.million), encoding: .utf8)
        let later = text.replacing("\"version\" : 1\n", with: "\"version\" : 2,\n  \"weather\" : \"fair\"\n")
        try folder.write(later, to: "copy.manifest.json")
        let error = #expect(throws: RunError.self) { try RecordedRun(contentsOf: copy) }
        #expect(error?.description.contains("a manifest of version 2; this program reads version 1") == true)
        try folder.write(later.replacing("\"version\" : 2", with: "\"version\" : 1"), to: "copy.manifest.json")
        #expect(try RecordedRun(contentsOf: copy).manifest != nil)
    }
}
