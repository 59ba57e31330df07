import BenchDrivers
import BenchHarness
import Foundation
import Testing

@testable import DriverConformance

@Suite("The drivers")
struct DriversTests {
    @Test("have names of their own")
    func names() {
        #expect(Set(Drivers.all.map(\.name)).count == Drivers.all.count)
        #expect(Drivers.all.first?.name == "sqlite")
    }

    @Test("tell the manifest what they are made of", arguments: DriverCase.all)
    func properties(_ subject: DriverCase) {
        #expect(subject.driver.properties["sqlite_version"]?.hasPrefix("3.") == true)
        #expect(!subject.driver.summary.isEmpty)
    }

    @Test("carry the revision of the baseline")
    func revision() {
        #expect(SQLiteDriver().properties["baseline_revision"] == String(SQLiteDriver.baselineRevision))
    }

    @Test("tell where the file is that others may use too")
    func file() throws {
        let store = try CheckedStore(SQLiteDriver())
        let file = SQLiteDriver.file(in: store.configuration.directory)
        #expect(!FileManager.default.fileExists(atPath: file.path))
        try store.open().close()
        #expect(FileManager.default.fileExists(atPath: file.path))
    }

    @Test("say that a plain struct has no place for a missing value")
    func missingValues() {
        let phase = Phase(
            name: "forget", from: .seeded,
            work: .update(
                UpdateWork(mode: .batch, set: [AttributeChange(attribute: "name", operation: .assign(.null))])))
        #expect(SQLiteDriver().unsupportedReason(for: phase, entity: .item)?.contains("null name") == true)
        #expect(SQLiteDriver().unsupportedReason(for: phase, entity: .everything) == nil)
    }
}
