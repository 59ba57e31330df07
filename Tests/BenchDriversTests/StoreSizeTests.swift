import BenchDrivers
import BenchHarness
import Foundation
import TestSupport
import Testing

/// The space that a run says it takes, beside what stores take.
@Suite struct StoreSizeTests {
    /// The stores of real runs, at a scale that tests can afford.
    @Test(arguments: [("million", 0.02), ("wide", 0.05), ("relationships", 0.05), ("hundred-thousand", 0.2)])
    func theDiskIsWhatStoresTake(name: String, scale: Double) throws {
        let url = Repository.url("Scenarios/\(name).json")
        let scenario = try ScenarioReader().read(contentsOf: url).scaled(by: scale)
        let directory = try TemporaryDirectory()
        var seeding = scenario
        seeding.phases = [Phase(name: "seed", from: .empty, work: .seed(SeedWork()))]
        #expect(try seeding.reports(by: SQLiteDriver(), in: directory.url).first?.row.status == .ok)
        let store = directory.url.appendingPathComponent("store")
        let bytes = try FileManager.default.contentsOfDirectory(atPath: store.path).reduce(0) {
            let attributes = try FileManager.default.attributesOfItem(atPath: store.appendingPathComponent($1).path)
            return $0 + (attributes[.size] as? Int ?? 0)
        }
        let request = RunRequest(
            scenario: seeding, drivers: [SQLiteDriver()], output: directory.file("a.csv"), storeParent: directory.url)
        // One store, the log and another copy.
        let ratio = RunEstimate(request).diskBytes / 3 / Double(bytes)
        #expect((0.75...1.6).contains(ratio), "\(ratio)")
    }
}
