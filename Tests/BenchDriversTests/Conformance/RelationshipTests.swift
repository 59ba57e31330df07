import BenchHarness
import Foundation
import Testing

@testable import BenchDrivers

@Suite("Every driver, relationships")
struct RelationshipTests {
    /// The entity that typed classes are written for, and one that they are not, whose owners come first in the
    /// alphabet.
    static let entities = [EntitySpec.listedItem, .ownedSample]

    @Test("stores who belongs to whom, and the owners", arguments: DriverCase.all, entities)
    func seeds(_ subject: DriverCase, entity: EntitySpec) async throws {
        try await onThread {
            let store = try StoreFixture(subject.driver, entity: entity)
            for saveEvery in [0, 7] {
                let store = saveEvery == 0 ? store : try StoreFixture(subject.driver, entity: entity)
                let session = try store.open()
                try session.seed(SeedWork(saveEvery: saveEvery), records: 300, monitor: PhaseMonitor())
                #expect(try session.scanned().unordered == store.expected(300).digestWithOwners().unordered)
                #expect(try session.checkIntegrity() == [])
                try session.close()
            }
        }
    }

    @Test("follows them from either end, prefetched or not", arguments: DriverCase.all, entities)
    func follows(_ subject: DriverCase, entity: EntitySpec) async throws {
        try await onThread {
            let store = try StoreFixture(subject.driver, entity: entity)
            let session = try store.seeded(300)
            let owner = try #require(entity.owner)
            for prefetch in [false, true] {
                for relationship in [owner.relationship, owner.inverse] {
                    let follow = FollowSpec(relationship: relationship, prefetch: prefetch)
                    try store.check(FetchWork(mode: .sync, follow: follow), session, "\(follow)")
                }
                let sorted = FetchWork(
                    mode: .sync, sort: [SortSpec(key: entity.attributes[1].name, ascending: false)],
                    filter: .compare(key: entity.attributes[0].name, .notEqual, store.records.value(0, 3)), limit: 200,
                    follow: FollowSpec(relationship: owner.relationship, prefetch: prefetch))
                try store.check(sorted, session, "sorted, \(prefetch)")
                session.finish()
            }
            try session.close()
        }
    }

    @Test("looks through them in a filter, in every mode", arguments: DriverCase.all, entities)
    func filters(_ subject: DriverCase, entity: EntitySpec) async throws {
        try await onThread {
            let store = try StoreFixture(subject.driver, entity: entity)
            let session = try store.seeded(300)
            let key = try #require(entity.owner).relationship + ".name"
            let filter = FilterSpec.or([
                .compare(key: key, .endsWith, .string("7")), .not(.compare(key: key, .greater, .string("List 2"))),
            ])
            for mode in FetchWork.Mode.allCases {
                let fetched = try session.fetch(mode, filter: filter)
                let expected = store.expected(300).expectation(for: FetchWork(mode: mode, filter: filter))
                #expect(fetched.count > 0 && fetched.count < 300)
                #expect(try fetched.digested().unordered == expected.digest?.unordered)
            }
            try session.close()
        }
    }

    @Test("moves records to another owner", arguments: DriverCase.all, UpdateWork.Mode.allCases)
    func moves(_ subject: DriverCase, mode: UpdateWork.Mode) async throws {
        try await onThread {
            for entity in Self.entities {
                let store = try StoreFixture(subject.driver, entity: entity)
                let owner = try #require(entity.owner)
                let work = UpdateWork(
                    mode: mode,
                    set: [
                        AttributeChange(attribute: owner.relationship, operation: .assign(.int64(3))),
                        AttributeChange(
                            attribute: entity.attributes[2].name, operation: .assign(store.records.value(2, 5))),
                    ], filter: .compare(key: owner.relationship + ".name", .endsWith, .string("7")), chunkSize: 9)
                let phase = Phase(name: "move", from: .seeded, work: .update(work))
                if let reason = subject.driver.unsupportedReason(for: phase, entity: entity) {
                    #expect(subject.driver.name == "managed" && mode == .batch && reason.contains(owner.relationship))
                    continue
                }
                let session = try store.seeded(300)
                if mode == .perObject { try session.prepareUpdate(work) }
                try session.update(work, monitor: PhaseMonitor())
                var expected = store.expected(300)
                expected.apply(work)
                #expect(expected.digest() != store.expected(300).digest())
                #expect(try session.scanned().unordered == expected.digestWithOwners().unordered)
                #expect(try session.checkIntegrity() == [])
                try session.close()
            }
        }
    }

    @Test("keeps the relationship in an indexed column", arguments: DriverCase.all)
    func layout(_ subject: DriverCase) async throws {
        try await onThread {
            let baseline = try StoreFixture(SQLiteDriver(), entity: .listedItem)
            let store = try StoreFixture(subject.driver, entity: .listedItem)
            try baseline.seeded(20).close()
            try store.seeded(20).close()
            #expect(try store.schema() == baseline.schema())
            #expect(try store.schema().contains("CREATE INDEX ZITEM_ZLIST_INDEX ON ZITEM (ZLIST)"))
            let other = try StoreFixture(subject.driver, entity: .ownedSample)
            try other.seeded(20).close()
            let file = try PlainConnection(file: RecordFile.url(in: other.configuration.directory), flags: 1)
            #expect(try file.integer("SELECT Z_ENT * 100 + Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Box'") == 112)
            #expect(try file.integer("SELECT Z_ENT * 100 + Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Sample'") == 220)
            #expect(try file.integer("SELECT count(*) FROM ZSAMPLE WHERE Z_ENT = 2") == 20)
        }
    }

    @Test("are found out when a record belongs to somebody else")
    func broken() async throws {
        try await onThread {
            let store = try StoreFixture(SQLiteDriver(), entity: .listedItem)
            let session = try store.seeded(50)
            let file = try PlainConnection(file: RecordFile.url(in: store.configuration.directory), flags: 2)
            try file.execute("UPDATE ZITEM SET ZLIST = ZLIST % 12 + 1 WHERE Z_PK = 17")
            #expect(try session.scanned().unordered != store.expected(50).digestWithOwners().unordered)
            try file.close()
            try session.close()
        }
    }
}

extension EntitySpec {
    private static func owner(_ name: String, _ relationship: String, _ inverse: String) -> OwnerSpec {
        OwnerSpec(
            relationship: relationship, inverse: inverse, entityName: name,
            attributes: [
                AttributeSpec(name: "name", type: .string, generator: .sequence(prefix: "List ", start: 0, step: 1)),
                AttributeSpec(name: "position", type: .int64, generator: .sequence(prefix: "", start: 5, step: 2)),
            ], records: 12)
    }

    /// The item and the list of the relationships scenario.
    static let listedItem = EntitySpec(
        name: "Item", attributes: item.attributes, owner: owner("List", "list", "items"))

    /// An attribute of every type, and an owner.
    static let ownedSample = EntitySpec(
        name: "Sample", attributes: everything.attributes, owner: owner("Box", "box", "samples"))
}

extension StoreFixture {
    /// What must be in the store once it is seeded.
    fileprivate func expected(_ count: Int) -> ExpectedStore {
        var store = ExpectedStore(generator: records)
        store.seed(records: count)
        return store
    }

    /// Expects that a fetch finds what it must, among 300 records.
    fileprivate func check(_ work: FetchWork, _ session: any StoreSession, _ what: String) throws {
        let expectation = expected(300).expectation(for: work)
        var digester = expectation.makeDigester()
        try session.fetch(work, monitor: PhaseMonitor()).digest(into: &digester)
        #expect(expectation.discrepancy(in: digester) == nil, "\(what)")
    }

    /// The tables and indexes of the file.
    fileprivate func schema() throws -> [String] {
        let file = try PlainConnection(file: RecordFile.url(in: configuration.directory), flags: 1)
        let statement = try file.prepare("SELECT sql FROM sqlite_master WHERE sql NOT NULL ORDER BY name")
        var schema: [String] = []
        while try statement.step() { schema.append(statement.string(0)) }
        return schema
    }
}
