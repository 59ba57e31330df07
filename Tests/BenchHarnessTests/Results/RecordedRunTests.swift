import Foundation
import Testing

@testable import BenchHarness

@Suite struct RecordedRunTests {
    /// The run that is kept as an example, written by an earlier version.
    private static let million = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Results/million/million.csv")

    @Test func theManifestBesideTheFileIsReadWithIt() throws {
        let run = try RecordedRun(contentsOf: Self.million)
        #expect(run.rows.count == 189)
        let manifest = try #require(run.manifest)
        #expect(manifest.scenario.name == "million")
        #expect(manifest.scenario.store.walAutocheckpointPages == 0)
        #expect(manifest.drivers.first { $0.name == "sqlite" }?.properties["baseline_revision"] == "1")
        #expect(manifest.host.cpuModel != nil)
    }

    @Test func aMissingManifestIsNoError() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let copy = folder.appendingPathComponent("copy.csv")
        try FileManager.default.copyItem(at: Self.million, to: copy)
        #expect(try RecordedRun(contentsOf: copy).manifest == nil)
        try Data("{}".utf8).write(to: Manifest.url(beside: copy))
        let error = #expect(throws: RunError.self) { try RecordedRun(contentsOf: copy) }
        #expect(error?.code == .results)
        #expect(error?.description.hasSuffix("the key \"version\" is missing") == true)
    }
}
