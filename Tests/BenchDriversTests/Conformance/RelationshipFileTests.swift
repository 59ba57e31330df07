import BenchHarness
import Foundation
import Testing

@testable import BenchDrivers
@testable import DriverConformance

@Suite struct RelationshipFileTests {
    @Test(arguments: DriverCase.all)
    func theRelationshipIsAnIndexedColumn(_ subject: DriverCase) async throws {
        try await onThread {
            let baseline = try CheckedStore(SQLiteDriver(), entity: .listedItem)
            let store = try CheckedStore(subject.driver, entity: .listedItem)
            try baseline.seeded(20).close()
            try store.seeded(20).close()
            #expect(try store.schema() == baseline.schema())
            #expect(try store.schema().contains("CREATE INDEX ZITEM_ZLIST_INDEX ON ZITEM (ZLIST)"))
            let other = try CheckedStore(subject.driver, entity: .boxedSample)
            try other.seeded(20).close()
            let file = try PlainConnection(file: RecordFile.url(in: other.configuration.directory), flags: 1)
            #expect(try file.integer("SELECT Z_ENT * 100 + Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Box'") == 112)
            #expect(try file.integer("SELECT Z_ENT * 100 + Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Sample'") == 220)
            #expect(try file.integer("SELECT count(*) FROM ZSAMPLE WHERE Z_ENT = 2") == 20)
        }
    }

    @Test(arguments: DriverCase.all)
    func namesMayBeInAnyScript(_ subject: DriverCase) async throws {
        try await onThread {
            let size = EntitySpec(name: "Größe", attributes: EntitySpec.item.attributes, records: 5)
            let reference = ReferenceSpec(relationship: "日本", inverse: "品", entityName: "Größe", records: 5)
            let item = EntitySpec(name: "项目", attributes: EntitySpec.item.attributes, references: [reference])
            let store = try CheckedStore(subject.driver, entities: [item, size])
            try store.seeded(20).close()
            let schema = try store.schema().map { $0.replacing("\"", with: "") }
            #expect(schema.contains("CREATE INDEX Z项目_Z日本_INDEX ON Z项目 (Z日本)"), "\(schema)")
        }
    }

    @Test func aRecordThatLeadsElsewhereIsFound() async throws {
        try await onThread {
            let store = try CheckedStore(SQLiteDriver(), entity: .listedItem)
            let session = try store.seeded(50)
            let file = try PlainConnection(file: RecordFile.url(in: store.configuration.directory), flags: 2)
            try file.execute("UPDATE ZITEM SET ZLIST = ZLIST % 12 + 1 WHERE Z_PK = 17")
            let error = #expect(throws: Discrepancy.self) {
                try session.expectStored(store.expectedWithTargets(0..<50))
            }
            #expect(try #require(error).description.contains("missing: 1, the first record 16 "))
            try file.close()
            try session.close()
        }
    }
}

extension CheckedStore {
    /// The tables and indexes of the file.
    fileprivate func schema() throws -> [String] {
        let file = try PlainConnection(file: RecordFile.url(in: configuration.directory), flags: 1)
        let statement = try file.prepare("SELECT sql FROM sqlite_master WHERE sql NOT NULL ORDER BY name")
        var schema: [String] = []
        while try statement.step() { schema.append(statement.string(0)) }
        return schema
    }
}
