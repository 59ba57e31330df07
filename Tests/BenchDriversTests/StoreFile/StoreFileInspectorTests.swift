import BenchHarness
import CSQLite
import Foundation
import TestSupport
import Testing

@testable import BenchDrivers
@testable import DriverConformance

@Suite struct StoreFileInspectorTests {
    @Test func rowsWithoutAVersionAreFound() throws {
        let store = try damaged("UPDATE ZITEM SET Z_OPT = 0 WHERE Z_PK = 3")
        #expect(try inspector(store).checkIntegrity() == ["1 rows of ZITEM have no version"])
    }

    @Test func aLargestKeyThatIsTooSmallIsFound() throws {
        let store = try damaged("UPDATE Z_PRIMARYKEY SET Z_MAX = 2")
        #expect(try inspector(store).checkIntegrity() == ["Z_MAX is 2, but ZITEM has the key 10"])
    }

    @Test func anIndexTooManyIsFound() throws {
        let store = try damaged("CREATE INDEX mine ON ZITEM (ZCREATEDAT)")
        #expect(
            try inspector(store).checkIntegrity()
                == ["ZITEM has an index of ZCREATEDAT, which the scenario does not ask for"])
    }

    @Test(arguments: DriverCase.all)
    func everyDriverMakesTheIndexThatTheScenarioAsksFor(_ subject: DriverCase) async throws {
        try await onThread {
            for entity in [EntitySpec.item, .listedItem, .everything, .boxedSample] {
                var attributes = Array(entity.attributesOfItsOwn)
                let index = try #require(attributes.firstIndex { $0.type == .date })
                attributes[index].indexed = true
                let indexed = EntitySpec(name: entity.name, attributes: attributes, references: entity.toOnes)
                let store = try CheckedStore(subject.driver, entity: indexed)
                try store.seeded(10).close()
                let file = RecordFile.url(in: store.configuration.directory)
                let inspector = RecordFileInspector(file: file, schema: store.configuration.schema)
                #expect(try inspector.checkIntegrity() == [])
                let connection = try PlainConnection(file: file, flags: SQLITE_OPEN_READWRITE)
                try connection.execute("DROP INDEX Z_\(entity.name)_INDEX_\(attributes[index].name)")
                let column = "Z\(attributes[index].name.uppercased())"
                #expect(
                    try inspector.checkIntegrity() == ["Z\(entity.name.uppercased()) has no index of \(column)"])
            }
        }
    }

    @Test func aValueOfAnotherTypeIsFound() throws {
        let store = try damaged("UPDATE ZITEM SET ZDONE = 'yes' WHERE Z_PK = 4")
        var digester = RecordDigester()
        let error = #expect(throws: DriverError.self) { try inspector(store).scanValues(into: &digester) }
        #expect(error?.description == "done of the row with key 4 is not stored as a bool")
    }

    @Test func aMissingStoreIsNotCreated() throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("missing.sqlite")
        #expect(throws: DriverError.self) {
            try RecordFileInspector(file: file, schema: Schema(.item)).checkIntegrity()
        }
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    private func inspector(_ store: CheckedStore) -> RecordFileInspector {
        RecordFileInspector(file: RecordFile.url(in: store.configuration.directory), schema: Schema(.item))
    }

    /// Ten records, and what `sql` did to them.
    private func damaged(_ sql: String) throws -> CheckedStore {
        let store = try CheckedStore(SQLiteDriver())
        try store.seeded(10).close()
        let file = RecordFile.url(in: store.configuration.directory)
        try PlainConnection(file: file, flags: SQLITE_OPEN_READWRITE).execute(sql)
        return store
    }
}
