import BenchHarness
import Foundation
import Testing

@Suite("Every driver, seeding")
struct SeedingTests {
    @Test("stores the records that the generator makes", arguments: DriverCase.all)
    func seeds(_ subject: DriverCase) async throws {
        try await onThread {
            let store = try StoreFixture(subject.driver)
            let session = try store.seeded(1_000)
            #expect(try session.scanned().unordered == store.digest(0..<1_000).unordered)
            #expect(try session.scanned().count == 1_000)
            #expect(try session.checkIntegrity() == [])
            try session.close()
        }
    }

    @Test("stores every type of attribute", arguments: DriverCase.all)
    func seedsEveryType(_ subject: DriverCase) async throws {
        try await onThread {
            let store = try StoreFixture(subject.driver, entity: .everything)
            let session = try store.seeded(200)
            #expect(try session.scanned().unordered == store.digest(0..<200).unordered)
            #expect(try session.checkIntegrity() == [])
            try session.close()
        }
    }

    @Test("stores an entity of whatever name", arguments: DriverCase.all)
    func seedsUnderAnyName(_ subject: DriverCase) async throws {
        try await onThread {
            let task = EntitySpec(name: "Task", attributes: EntitySpec.item.attributes)
            let store = try StoreFixture(subject.driver, entity: task)
            let session = try store.seeded(200)
            #expect(try session.scanned().unordered == store.digest(0..<200).unordered)
            #expect(try session.fetch(FetchWork(mode: .sync), monitor: PhaseMonitor()).count == 200)
            try session.close()
        }
    }

    @Test("saves as often as it is told to", arguments: DriverCase.all, [1, 7, 64, 100, 1_000])
    func savesInSteps(_ subject: DriverCase, saveEvery: Int) async throws {
        try await onThread {
            let store = try StoreFixture(subject.driver)
            let session = try store.open()
            try session.seed(SeedWork(saveEvery: saveEvery), records: 130, monitor: PhaseMonitor())
            #expect(try session.scanned().unordered == store.digest(0..<130).unordered)
            try session.close()
        }
    }

    @Test("seeds nothing when there is nothing to seed", arguments: DriverCase.all)
    func seedsNothing(_ subject: DriverCase) async throws {
        try await onThread {
            let store = try StoreFixture(subject.driver)
            let session = try store.seeded(0)
            #expect(try session.scanned() == RecordDigest())
            #expect(try session.checkIntegrity() == [])
            try session.close()
        }
    }

    @Test("finds its records again after it was closed", arguments: DriverCase.all)
    func reopens(_ subject: DriverCase) async throws {
        try await onThread {
            let store = try StoreFixture(subject.driver)
            try store.seeded(300).close()
            let session = try store.open()
            #expect(try session.scanned().unordered == store.digest(0..<300).unordered)
            #expect(try session.fetch(FetchWork(mode: .sync), monitor: PhaseMonitor()).count == 300)
            try session.close()
        }
    }

    @Test("empties the log into the database at a checkpoint", arguments: DriverCase.all)
    func checkpoints(_ subject: DriverCase) async throws {
        try await onThread {
            let store = try StoreFixture(subject.driver)
            let session = try store.seeded(500)
            try session.checkpoint()
            let log = store.configuration.directory.appendingPathComponent("store.sqlite-wal")
            // Asked of the file's attributes: Foundation leaks when it reads an empty file.
            #expect(try FileManager.default.attributesOfItem(atPath: log.path)[.size] as? Int == 0)
            #expect(try session.scanned().count == 500)
            try session.close()
        }
    }

    @Test("counts exactly, from zero after a reset", arguments: DriverCase.all)
    func counts(_ subject: DriverCase) async throws {
        try await onThread {
            let store = try StoreFixture(subject.driver)
            let session = try store.open()
            session.resetCounters()
            #expect(try session.counters().statements == 0)
            try session.seed(SeedWork(), records: 640, monitor: PhaseMonitor())
            let counters = try session.counters()
            #expect(try #require(counters.statements) >= 10)
            #expect(try #require(counters.vmSteps) > 640)
            #expect(try #require(counters.rows) >= 640)
            #expect(try #require(counters.pagesWritten) > 0)
            #expect(try #require(counters.storeMemoryPeakBytes) > 10_000)
            #expect(counters.conflicts == 0)
            session.resetCounters()
            #expect(try session.counters().vmSteps == 0)
            try session.close()
        }
    }
}
