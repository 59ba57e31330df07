import BenchHarness
import Foundation
import Testing

@Suite("Every driver, updating")
struct UpdatingTests {
    static let modes = UpdateWork.Mode.allCases

    @Test("changes every record", arguments: DriverCase.all, modes)
    func updatesAll(_ subject: DriverCase, mode: UpdateWork.Mode) async throws {
        try await onThread {
            let store = try StoreFixture(subject.driver)
            let session = try store.seeded(1_000)
            try session.update(mode, set: [AttributeChange(attribute: "done", operation: .assign(.bool(true)))])
            let expected = store.digest(0..<1_000) { $1[2] = .bool(true) }
            #expect(try session.scanned().unordered == expected.unordered)
            #expect(try session.checkIntegrity() == [])
            try session.close()
        }
    }

    @Test("changes what a filter lets through, and no record twice", arguments: DriverCase.all, modes)
    func updatesSome(_ subject: DriverCase, mode: UpdateWork.Mode) async throws {
        try await onThread {
            let store = try StoreFixture(subject.driver)
            let session = try store.seeded(1_000)
            let filter = FilterSpec.compare(key: "done", .equal, .bool(true))
            try session.update(mode, set: [AttributeChange(attribute: "done", operation: .toggle)], filter: filter)
            let expected = store.digest(0..<1_000) { $1[2] = .bool(false) }
            #expect(try session.scanned().unordered == expected.unordered)
            try session.close()
        }
    }

    @Test("toggles, adds and assigns from the old values", arguments: DriverCase.all, modes)
    func computesFromOldValues(_ subject: DriverCase, mode: UpdateWork.Mode) async throws {
        try await onThread {
            let store = try StoreFixture(subject.driver, entity: .everything)
            let session = try store.seeded(300)
            let changes = [
                AttributeChange(attribute: "flag", operation: .toggle),
                AttributeChange(attribute: "rank", operation: .add(3)),
                AttributeChange(attribute: "at", operation: .add(0.5)),
                AttributeChange(attribute: "weight", operation: .assign(.null)),
                AttributeChange(attribute: "note", operation: .assign(.string("é\u{0}x"))),
            ]
            try session.update(mode, set: changes)
            let expected = store.digest(0..<300) { ordinal, values in
                values[5] = .bool(!store.records.bool(5, ordinal))
                values[3] = .int64(store.records.int64(3, ordinal) + 3)
                values[4] = .date(store.records.double(4, ordinal) + 0.5)
                values[1] = .null
                values[6] = .string("é\u{0}x")
            }
            #expect(try session.scanned().unordered == expected.unordered)
            #expect(try session.checkIntegrity() == [])
            try session.close()
        }
    }

    @Test("changes the same records again", arguments: DriverCase.all, modes)
    func updatesTwice(_ subject: DriverCase, mode: UpdateWork.Mode) async throws {
        try await onThread {
            let store = try StoreFixture(subject.driver)
            let session = try store.seeded(100)
            for _ in 0..<2 {
                try session.update(mode, set: [AttributeChange(attribute: "createdAt", operation: .add(10))])
            }
            let expected = store.digest(0..<100) { $1[1] = .date(store.records.double(1, $0) + 10 + 10) }
            #expect(try session.scanned().unordered == expected.unordered)
            try session.close()
        }
    }

    @Test("refuses to overwrite what somebody else has changed", arguments: DriverCase.all)
    func findsConflicts(_ subject: DriverCase) async throws {
        try await onThread {
            let store = try StoreFixture(subject.driver)
            let session = try store.seeded(100)
            let mine = UpdateWork(mode: .perObject, set: [AttributeChange(attribute: "done", operation: .toggle)])
            let theirs = AttributeChange(attribute: "name", operation: .assign(.string("theirs")))
            try session.prepareUpdate(mine)
            let other = try store.open()
            try other.update(.batch, set: [theirs], filter: .compare(key: "name", .equal, .string("Item 50")))
            #expect(throws: (any Error).self) { try session.update(mine, monitor: PhaseMonitor()) }
            #expect(try #require(try session.counters().conflicts) == 1)
            let expected = store.digest(0..<100) { ordinal, values in if ordinal == 50 { values[0] = .string("theirs") }
            }
            #expect(try session.scanned().unordered == expected.unordered)
            session.finish()
            try other.close()
            try session.close()
        }
    }
}

extension StoreSession {
    /// Updates as the harness does: prepared beforehand where the mode wants it.
    func update(_ mode: UpdateWork.Mode, set changes: [AttributeChange], filter: FilterSpec? = nil) throws {
        let work = UpdateWork(mode: mode, set: changes, filter: filter, chunkSize: 64)
        if mode == .perObject { try prepareUpdate(work) }
        defer { finish() }
        try update(work, monitor: PhaseMonitor())
    }
}
