import BenchDrivers
import BenchHarness
import Foundation

extension BenchBinary {
    /// Leaves the seeded store of a shipped scenario as `store.sqlite`.
    func seedStore(_ name: String, records: Int) throws {
        let scenario = try ScenarioReader().read(contentsOf: URL(fileURLWithPath: Self.scenario(name)))
        let store = try makeFolder("store")
        let session = try SQLiteDriver().open(
            StoreConfiguration(
                directory: store, schema: scenario.schema, options: scenario.store,
                records: RecordGenerator(entity: scenario.entity, seed: scenario.seed)))
        try session.seed(SeedWork(), records: records, monitor: PhaseMonitor())
        try session.close()
        let file = SQLiteDriver.file(in: store)
        try FileManager.default.moveItem(at: file, to: folder.appendingPathComponent("store.sqlite"))
        try FileManager.default.removeItem(at: store)
    }
}
