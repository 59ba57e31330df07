import BenchDrivers
import BenchHarness
import Foundation
import Testing

@testable import DriverConformance

@Suite struct DriversTests {
    @Test func driversHaveNamesOfTheirOwn() {
        #expect(Set(Drivers.all.map(\.name)).count == Drivers.all.count)
        #expect(Drivers.all.first?.name == "sqlite")
    }

    @Test(arguments: DriverCase.all)
    func driversTellTheManifestWhatTheyAreMadeOf(_ subject: DriverCase) {
        #expect(subject.driver.properties["sqlite_version"]?.hasPrefix("3.") == true)
        #expect(!subject.driver.summary.isEmpty)
    }

    @Test func driversCarryTheRevisionOfTheBaseline() {
        #expect(SQLiteDriver().properties["baseline_revision"] == String(SQLiteDriver.baselineRevision))
    }

    @Test func driversTellWhereTheSharedFileIs() throws {
        let store = try CheckedStore(SQLiteDriver())
        let file = SQLiteDriver.file(in: store.configuration.directory)
        #expect(!FileManager.default.fileExists(atPath: file.path))
        try store.open().close()
        #expect(FileManager.default.fileExists(atPath: file.path))
    }

    @Test func aPlainStructHasNoPlaceForAMissingValue() {
        let phase = Phase(
            name: "forget", from: .seeded,
            work: .update(
                UpdateWork(mode: .batch, set: [AttributeChange(attribute: "name", operation: .assign(.null))])))
        #expect(SQLiteDriver().unsupportedReason(for: phase, in: Schema(.item))?.contains("null name") == true)
        #expect(SQLiteDriver().unsupportedReason(for: phase, in: Schema(.everything)) == nil)
    }
}
